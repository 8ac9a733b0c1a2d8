import { Readable } from 'node:stream';

/** How much may be buffered for a client that must receive every event. */
export interface KeepAll {
  /** Characters; a client that falls further behind is disconnected. */
  readonly keepAll: number;
}

/**
 * Server-sent events as a stream. Buffers at most one unread event: a slow client gets the newest state, not all of
 * them. With `keepAll` every event is buffered.
 */
export class EventStream extends Readable {
  private readonly keepAll: number | null;
  private waiting: string[] = [];
  private size = 0;
  private isRead = false;
  private phase: 'open' | 'finishing' | 'over' = 'open';

  constructor(options?: KeepAll) {
    // One unread event fills the stream's own buffer: a second one stays here and may be replaced.
    super({ highWaterMark: 1 });
    this.keepAll = options?.keepAll ?? null;
  }

  override _read(): void {
    this.isRead = true;
    this.give();
  }

  /** Sends an event with one line of data, without line ends. */
  offer(data: string): void {
    this.put(`data: ${data}\n\n`);
  }

  /** Sends a comment, which clients ignore; skipped when an event is waiting anyway. */
  alive(): void {
    if (this.waiting.length === 0) this.put(': ok\n\n');
  }

  /** Ends after the buffered events. */
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
      // `_read` may run again even during this push.
      this.isRead = false;
      this.push(text);
    }
    if (this.phase === 'finishing' && this.waiting.length === 0) {
      this.phase = 'over';
      this.push(null);
    }
  }
}
