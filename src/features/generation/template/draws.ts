import type { Question } from '#contract/questions.ts';
import { formatCount, type Forms } from '#domain/format.ts';
import { seededRandom, shuffled } from '#domain/seeded-random.ts';
import { compileTemplate, type Compiled, type DrawnContent } from './compiled.ts';
import { questionOf, type Drawn, type DrawnTemplate } from './drawn-question.ts';
import { TemplateError } from './template-error.ts';

/** All draws of a template for one seed: draw n is always the same. */
export interface Draws {
  /** Number of value sets, ignoring conditions. */
  readonly size: number;
  /** Null: the condition is not satisfied. Throws `TemplateError`. */
  readonly at: (number: number) => DrawnContent | null;
}

/** Maximum retries of a draw. */
export const MAX_TRIES = 2_000;
const TRIES_IN_A_ROW = 100;
/** Up to this number of sets the draws are a permutation; above it they are random. */
const MAX_LISTED = 20_000;

const SETS: Forms = ['набор', 'набора', 'наборов'];
const ATTEMPTS: Forms = ['попытку', 'попытки', 'попыток'];

/** @throws {TemplateError} the template has errors; contains the first one */
function openDraws(template: DrawnTemplate, seed: string): Draws {
  const { compiled, problems } = compileTemplate(template.body);
  if (!compiled) throw new TemplateError(problems[0]?.message ?? 'Шаблон заполнен не до конца');
  return drawsOf(compiled, `${seed}/${template.templateId}`);
}

/** Splits an index into one index per variable. */
function inTurn(index: number): (size: number) => number {
  let rest = index;
  return (size) => {
    const chosen = rest % size;
    rest = Math.floor(rest / size);
    return chosen;
  };
}

function byChance(seed: string): (size: number) => number {
  const random = seededRandom(seed);
  return (size) => Math.floor(random() * size);
}

function drawsOf({ size, pick, make }: Compiled, seed: string): Draws {
  if (size > MAX_LISTED) return { size, at: (number) => make(pick(byChance(`${seed}/${number}`))) };
  const order = shuffled(
    Array.from({ length: size }, (_, index) => index),
    seed,
  );
  return { size, at: (number) => make(pick(inTurn(order[number % size] ?? 0))) };
}

/** Equal for draws that look the same to a student. */
const identityOf = ({ text, key }: DrawnContent): string => JSON.stringify([text, key.shown]);

/** Iterates over distinct draws of a template. */
export class Walk {
  /** Number of draws returned. */
  given = 0;
  readonly #draws: Draws;
  readonly #condition: string;
  readonly #seen = new Set<string>();
  #number = 0;

  /** @throws {TemplateError} the template has errors */
  constructor(template: DrawnTemplate, seed: string) {
    this.#draws = openDraws(template, seed);
    this.#condition = template.body.condition.trim();
  }

  /** The next draw; null: exhausted. Throws `TemplateError` with the reason if there is none at all. */
  next(): Drawn | null {
    const search = this.seek();
    for (;;) {
      const step = search.next();
      if (step.done) return step.value;
    }
  }

  /** Like `next`, yielding every few tries. */
  *seek(): Generator<undefined, Drawn | null> {
    let reason: string | null = null;
    const left = this.#isListed ? this.#draws.size - this.#number : MAX_TRIES;
    const tries = Math.min(MAX_TRIES, left);
    for (let tried = 0; tried < tries; tried += 1) {
      const number = this.#number;
      this.#number += 1;
      try {
        const content = this.#draws.at(number);
        if (content && this.#isNew(content)) return { number, content };
      } catch (cause) {
        if (!(cause instanceof TemplateError)) throw cause;
        reason = cause.message;
      }
      if (tried % TRIES_IN_A_ROW === TRIES_IN_A_ROW - 1) yield;
    }
    if (this.given > 0) return null;
    throw new TemplateError(this.#nothing(tries, reason));
  }

  get #isListed(): boolean {
    return this.#draws.size <= MAX_LISTED;
  }

  #isNew(content: DrawnContent): boolean {
    const identity = identityOf(content);
    if (this.#seen.has(identity)) return false;
    this.#seen.add(identity);
    this.given += 1;
    return true;
  }

  #nothing(tries: number, reason: string | null): string {
    const found =
      tries < MAX_TRIES
        ? `Не подошёл ни один из возможных наборов чисел (${formatCount(tries, SETS)})`
        : `За ${formatCount(tries, ATTEMPTS)} не подошёл ни один набор чисел`;
    if (reason !== null) return `${found}. ${reason}`;
    return `${found}: условие «${this.#condition}» не выполняется. Ослабьте его или расширьте пределы`;
  }
}

/**
 * The question of a template, a seed and a number: deterministic except for ids.
 * @throws {TemplateError} the template has mistakes, or this number gives no question
 */
export function instantiate(
  template: DrawnTemplate,
  seed: string,
  number: number,
  newId: () => string,
): Question {
  const content = openDraws(template, seed).at(number);
  if (!content) throw new TemplateError('Условие шаблона для этого номера не выполняется');
  return questionOf(template, seed, { number, content }, newId);
}
