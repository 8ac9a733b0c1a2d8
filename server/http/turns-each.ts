import { finished } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { Refusal } from './refusal.ts';

/** A file in base64 costs several times its size while it leaves. */
export const BASE64_AT_ONCE = 4;
/** No screen waits for so many at once; a program does. */
const LONGEST_QUEUE = 100;
/** A phone that lost its network in the middle holds no place longer. */
const HELD_MOST_MS = 30_000;

interface Person {
  running: number;
  readonly waiting: (() => void)[];
}

/**
 * Replies that stand whole in memory until they have left: at most so many of one person at once, others
 * of his wait.
 * @returns resolves when it is the reply's turn; throws TOO_MANY_REQUESTS
 */
export function turnsEach(atOnce: number): (userId: string, reply: FastifyReply) => Promise<void> {
  const people = new Map<string, Person>();

  function pass(userId: string, person: Person): void {
    const next = person.waiting.shift();
    if (next) return next();
    person.running -= 1;
    if (person.running === 0) people.delete(userId);
  }

  return async (userId, reply) => {
    const person = people.get(userId) ?? { running: 0, waiting: [] };
    people.set(userId, person);
    if (person.running < atOnce) person.running += 1;
    else if (person.waiting.length >= LONGEST_QUEUE)
      throw new Refusal('TOO_MANY_REQUESTS', { retryAfterSeconds: 5 });
    else await new Promise<void>((resolve) => person.waiting.push(resolve));
    let isHeld = true;
    const leave = () => {
      if (!isHeld) return;
      isHeld = false;
      clearTimeout(timer);
      pass(userId, person);
    };
    const timer = setTimeout(leave, HELD_MOST_MS);
    timer.unref();
    finished(reply.raw, leave);
    // Nobody reads it: nothing is read for it either.
    if (reply.raw.destroyed) throw new Refusal('UNAVAILABLE');
  };
}
