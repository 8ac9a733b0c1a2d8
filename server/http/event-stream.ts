import { Readable } from 'node:stream';

/** How much may wait for a listener that must hear everything. */
export interface KeepAll {
  /** Characters; a listener that falls behind by more is hung up on. */
  readonly keepAll: number;
}

/**
 * Server-sent events as a stream. Holds at most one event that was not read yet: a slow listener gets
 * the newest state, not all of them. With `keepAll` every event waits its turn.
 */
export class EventStream extends Readable {
  private readonly keepAll: number | null;
  private waiting: string[] = [];
  private size = 0;
  private isRead = false;
  private phase: 'open' | 'finishing' | 'over' = 'open';

  constructor(options?: KeepAll) {
    // What was pushed and not yet taken fills it: a second one waits, and may be replaced.
    super({ highWaterMark: 1 });
    this.keepAll = options?.keepAll ?? null;
  }

  override _read(): void {
    this.isRead = true;
    this.give();
  }

  /** An event with one line of data, which has no line ends of its own. */
  offer(data: string): void {
    this.put(`data: ${data}\n\n`);
  }

  /** A comment, which no listener takes for an event; nothing where an event waits anyway. */
  alive(): void {
    if (this.waiting.length === 0) this.put(': ok\n\n');
  }

  /** Ends after what waits. */
  finish(): void {
    if (this.phase === 'open') this.phase = 'finishing';
    this.give();
  }

  private put(text: string): void {
    if (this.phase !== 'open' || this.destroyed) return;
    if (this.keepAll === null) {
      this.waiting = [text];
    } else {
      this.waiting.push(text);
      this.size += text.length;
    }
    this.give();
    if (this.keepAll !== null && this.size > this.keepAll) this.destroy();
  }

  private give(): void {
    if (this.destroyed) return;
    while (this.isRead && this.waiting.length > 0) {
      const text = this.waiting.shift() ?? '';
      this.size -= text.length;
      // Asked for again by `_read`, even while this is being pushed.
      this.isRead = false;
      this.push(text);
    }
    if (this.phase === 'finishing' && this.waiting.length === 0) {
      this.phase = 'over';
      this.push(null);
    }
  }
}
