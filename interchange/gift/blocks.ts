/** A question's lines, or a category. */
export interface GiftBlock {
  /** Number of its first line, from 1. */
  readonly line: number;
  readonly text: string;
  readonly comments: readonly string[];
}

/** The first character that opens or closes an answer, or that shows the beginning of another question; else null. */
function steering(line: string): 'open' | 'close' | null {
  if (/^\s*(?:::|\$CATEGORY:)/.test(line)) return 'open';
  for (let at = 0; at < line.length; at += 1) {
    if (line[at] === '\\') at += 1;
    else if (line[at] === '{') return 'open';
    else if (line[at] === '}') return 'close';
  }
  return null;
}

/** The depth of open braces after the line. */
function depthAfter(line: string, before: number): number {
  let depth = before;
  for (let at = 0; at < line.length; at += 1) {
    if (line[at] === '\\') at += 1;
    else if (line[at] === '{') depth = 1;
    else if (line[at] === '}') depth = 0;
  }
  return depth;
}

/** For each line, whether an answer open there is closed before another one begins. */
function closings(lines: readonly string[]): boolean[] {
  const closed: boolean[] = [];
  let next = false;
  for (let at = lines.length - 1; at >= 0; at -= 1) {
    const line = lines[at] ?? '';
    const sign = line.trimStart().startsWith('//') ? null : steering(line);
    if (sign !== null) next = sign === 'close';
    closed[at] = next;
  }
  return closed;
}

/**
 * Splits a GIFT file into its questions: at blank lines, at lines that begin a title after an answer, at categories. A
 * blank line inside an answer that is closed later does not split it.
 */
export function* giftBlocks(text: string): Generator<GiftBlock> {
  const lines = text.split('\n');
  const closed = closings(lines);
  let comments: string[] = [];
  let own: string[] = [];
  let first = 0;
  let depth = 0;
  let answered = false;
  const flushBlock = function* (): Generator<GiftBlock> {
    if (own.length > 0) {
      yield { line: first + 1, text: own.join('\n').trim(), comments };
      comments = [];
    }
    own = [];
    depth = 0;
    answered = false;
  };
  for (const [at, line] of lines.entries()) {
    const start = line.trimStart();
    if (start.startsWith('//')) {
      // After an answer a comment belongs to the next block.
      if (answered && depth === 0) yield* flushBlock();
      comments.push(start.slice(2));
      continue;
    }
    if (start === '') {
      if (own.length > 0 && depth > 0 && closed[at]) own.push('');
      else yield* flushBlock();
      continue;
    }
    if (start.startsWith('$CATEGORY:') || (start.startsWith('::') && answered && depth === 0)) {
      yield* flushBlock();
    }
    if (own.length === 0) first = at;
    own.push(line);
    const after = depthAfter(line, depth);
    if (after === 0 && line.includes('}')) answered = true;
    depth = after;
    if (start.startsWith('$CATEGORY:')) yield* flushBlock();
  }
  yield* flushBlock();
}
