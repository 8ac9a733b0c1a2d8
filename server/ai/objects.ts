/** What the reader emits, in the order of the text. */
export interface ObjectListener {
  /** A whole JSON object, with the text it was read from. */
  onObject(value: Readonly<Record<string, unknown>>, raw: string): void;
  /** Began as an object but is invalid; its beginning. */
  onBroken(raw: string): void;
}

export interface ObjectReader {
  take(piece: string): void;
  /** Call at the end of the text: an unfinished object is broken. */
  end(): void;
}

/** Maximum characters of one object. */
const MAX_OBJECT = 64 * 1024;
/** Characters of a broken one that are retained for display. */
const MAX_RAW = 500;
/** The longest text searched for the beginning of the next object. */
const LOOK_BACK = 60;

const THINKING = /<(think|thinking|reasoning)>$/i;
const THOUGHT = /<\/(think|thinking|reasoning)>$/i;
/** A wrapper around the objects, such as `{"questions": [`. */
const WRAPPER = /^\{\s*"(questions|items|data|results|вопросы)"\s*:\s*\[$/i;
/** Expected objects begin with their kind, and nothing inside them does. */
const BEGINS_ANEW = /\{\s*"kind"\s*$/;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Repairs JSON in the form that models write: single backslashes of formulas, line ends inside strings and trailing
 * commas.
 */
function repairJson(raw: string): string {
  let inString = false;
  let result = '';
  for (let at = 0; at < raw.length; at += 1) {
    const sign = raw.charAt(at);
    if (!inString) {
      if (sign === ',' && /^\s*[}\]]/.test(raw.slice(at + 1, at + LOOK_BACK))) continue;
      if (sign === '"') inString = true;
      result += sign;
    } else if (sign === '\\') {
      const next = raw.charAt(at + 1);
      const isEscape =
        next === 'u' ? /^[\da-f]{4}$/i.test(raw.slice(at + 2, at + 6)) : /["\\/bfnrt]/.test(next);
      result += isEscape ? sign + next : '\\\\';
      if (isEscape) at += 1;
    } else if (sign < ' ') {
      result += JSON.stringify(sign).slice(1, -1);
    } else {
      if (sign === '"') inString = false;
      result += sign;
    }
  }
  return result;
}

function parsed(raw: string): Readonly<Record<string, unknown>> | null {
  for (const text of [raw, repairJson(raw)]) {
    try {
      const value: unknown = JSON.parse(text);
      return isRecord(value) ? value : null;
    } catch {
      // Parsed again after repair, then given up.
    }
  }
  return null;
}

/** Searches the text between objects for the brace of the next one, outside of a model's reasoning. */
function createGapReader() {
  let isThinking = false;
  /** The last characters between objects. */
  let tail = '';
  return {
    /** Whether the sign begins an object. */
    isBeginning(sign: string): boolean {
      tail = (tail + sign).slice(-LOOK_BACK);
      if (isThinking) {
        if (THOUGHT.test(tail)) isThinking = false;
        return false;
      }
      if (THINKING.test(tail)) isThinking = true;
      return !isThinking && sign === '{';
    },
    /** After an object. */
    restart: () => {
      tail = '';
    },
    end: () => {
      isThinking = false;
    },
  };
}

/** The text of an object up to now. */
class OpenObject {
  /** Empty: between objects. */
  raw = '';
  readonly #onBroken: (text: string) => void;
  #depth = 0;
  #inString = false;
  #isEscaped = false;

  constructor(onBroken: (text: string) => void) {
    this.#onBroken = onBroken;
  }

  get isClosed(): boolean {
    return this.#depth === 0;
  }

  begin(raw: string): void {
    this.raw = raw;
    this.#depth = 1;
    this.#inString = false;
    this.#isEscaped = false;
  }

  clear(): void {
    this.begin('');
    this.#depth = 0;
  }

  /** False: the text is no object, but what surrounds a list of them. */
  add(sign: string): boolean {
    if (this.#isEscaped) {
      this.#isEscaped = false;
    } else if (sign === '\\' && this.#inString) {
      this.#isEscaped = true;
    } else if (sign === '"') {
      this.#inString = !this.#inString;
    } else if (sign === ':' && this.#beginAnew()) {
      return true;
    } else if (!this.#inString) {
      if (sign === '{') this.#depth += 1;
      if (sign === '}') this.#depth -= 1;
      // Only searched for at the beginning: a model that repeats itself writes thousands of brackets.
      const mayWrap = sign === '[' && this.#depth === 1 && this.raw.length < LOOK_BACK;
      if (mayWrap && WRAPPER.test(this.raw + sign)) return false;
    }
    this.raw += sign;
    return true;
  }

  /** `{"kind":` where no object can begin: the current one lacks its end. */
  #beginAnew(): boolean {
    const found = BEGINS_ANEW.exec(this.raw.slice(-LOOK_BACK));
    if (!found) return false;
    const begin = this.raw.length - found[0].length;
    if (begin === 0) return false;
    const before = this.raw.slice(0, begin);
    // Inside a string only at the beginning of a line: the string itself lacks its end.
    if (this.#inString && !/\n[ \t]*$/.test(before)) return false;
    const isWrapper = !this.#inString && /[[:]\s*$/.test(before) && !/^\{\s*"kind"/.test(before);
    if (!isWrapper) this.#onBroken(before);
    this.begin(`${found[0]}:`);
    return true;
  }
}

/**
 * Extracts JSON objects from a text that arrives in chunks, whatever surrounds them: prose, fences, a list or a
 * wrapper, a model's reasoning. The result does not depend on the chunks, and an object that never ends does
 * not swallow those after it.
 */
export function createObjectReader({ onObject, onBroken }: ObjectListener): ObjectReader {
  const broken = (text: string): void => onBroken(text.slice(0, MAX_RAW));
  const gap = createGapReader();
  const open = new OpenObject(broken);
  /** Only the brace was read: the next character decides whether it is an object. */
  let isFresh = false;

  /** Returns the text of the object, which is left. */
  function leave(): string {
    const text = open.raw;
    open.clear();
    gap.restart();
    return text;
  }

  function between(sign: string): void {
    if (!gap.isBeginning(sign)) return;
    open.begin(sign);
    isFresh = true;
  }

  function inside(sign: string): void {
    if (!open.add(sign)) {
      leave();
    } else if (open.isClosed) {
      const text = leave();
      const value = parsed(text);
      if (value) onObject(value, text);
      else broken(text);
    } else if (open.raw.length > MAX_OBJECT) {
      broken(leave());
    }
  }

  return {
    take(piece) {
      for (const sign of piece) {
        if (open.raw !== '' && isFresh && !/\s/.test(sign)) {
          isFresh = false;
          if (sign !== '"') leave();
        }
        if (open.raw === '') between(sign);
        else inside(sign);
      }
    },
    end() {
      const text = leave();
      gap.end();
      if (text !== '' && !isFresh) broken(text);
    },
  };
}
