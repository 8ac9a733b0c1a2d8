/** What a stream of server-sent events says. */
export interface EventListener {
  /** The data of one event, its lines joined. */
  onData(data: string): void;
  /** A comment: somebody is there. */
  onComment(): void;
}

/**
 * Reads server-sent events from pieces of text, wherever the pieces are cut. Names, ids and
 * reconnection times are not used here and are passed over. Returns what takes the next piece.
 */
export function createEventReader({ onData, onComment }: EventListener): (piece: string) => void {
  let rest = '';
  let data: string[] = [];
  let isFirst = true;

  function line(text: string): void {
    if (text === '') {
      if (data.length > 0) onData(data.join('\n'));
      data = [];
      return;
    }
    if (text.startsWith(':')) return onComment();
    const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(text) ?? [];
    if (field === 'data') data.push(value);
  }

  return (piece) => {
    rest += piece;
    if (isFirst && rest !== '') {
      isFirst = false;
      if (rest.startsWith('\uFEFF')) rest = rest.slice(1);
    }
    for (;;) {
      const end = /\r\n|\n|\r/.exec(rest);
      // A carriage return at the very end may be the first half of a line end.
      if (!end || (end[0] === '\r' && end.index === rest.length - 1)) return;
      const text = rest.slice(0, end.index);
      rest = rest.slice(end.index + end[0].length);
      line(text);
    }
  };
}
