import { Readable } from 'node:stream';

/**
 * Server-sent events as a stream. Holds at most one event that was not read yet: a slow listener gets
 * the newest state, not all of them.
 */
export class EventStream extends Readable {
  private waiting: string | null = null;
  private isRead = false;
  private phase: 'open' | 'finishing' | 'over' = 'open';

  constructor() {
    // What was pushed and not yet taken fills it: a second one waits, and may be replaced.
    super({ highWaterMark: 1 });
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
    if (this.waiting === null) this.put(': ok\n\n');
  }

  /** Ends after what waits. */
  finish(): void {
    if (this.phase === 'open') this.phase = 'finishing';
    this.give();
  }

  private put(text: string): void {
    if (this.phase !== 'open') return;
    this.waiting = text;
    this.give();
  }

  private give(): void {
    if (this.destroyed) return;
    if (this.waiting !== null && this.isRead) {
      const text = this.waiting;
      this.waiting = null;
      this.isRead = this.push(text);
    }
    if (this.phase === 'finishing' && this.waiting === null) {
      this.phase = 'over';
      this.push(null);
    }
  }
}
