import * as v from 'valibot';
import { SavedAnswers, type Answer } from '#contract/answers.ts';
import { HEADER } from '#contract/headers.ts';
import { Receipt } from '#contract/passing.ts';
import { bodyOf, type Delivery, type HeardReceipt, type Write } from './evidence.ts';
import type { History } from './history.ts';
import type { NetworkObserver, Sending } from './network.ts';
import { faultDeed } from './script.ts';
import type { WireReply } from './server.ts';

/** What a run leaves behind besides the database and the devices. */
export interface RunRecord {
  /** What the run did, deed by deed. */
  readonly script: string[];
  readonly writes: Write[];
  readonly receipts: HeardReceipt[];
  readonly deliveries: Delivery[];
  readonly clockChanges: { device: string; at: number; by: number }[];
  readonly schoolClockSteps: number[];
  readonly restores: number[];
  readonly wipedStreams: Set<string>;
  readonly onceDeleted: Set<string>;
  /** Attempts whose deadline a teacher moved. */
  readonly moved: Set<string>;
  /** Ids that pages made. */
  readonly made: Set<string>;
  /** Operations that a device ever set aside, poisoned ones included. */
  readonly everSetAside: Set<string>;
  /** Verdicts that devices had seen when a backup was restored, by operation. */
  readonly verdictsAtRestore: Map<string, { outcome: string; device: string }>;
  /** Keys of starts that came to the server without a take-over, by user and test. */
  readonly startKeys: Map<string, Set<string>>;
  /** Whose token it is. */
  readonly tokens: Map<string, string>;
  /** Bodies that the server confirmed to a device, by `device/attempt/question`. */
  readonly confirmed: Map<string, Set<string>>;
  /** Operations that the server named to a device as counting. */
  readonly named: Map<string, Set<string>>;
  readonly observer: NetworkObserver;
  confirm(device: string, attemptId: string, questionId: string, body: string): void;
  name(device: string, operationId: string): void;
  operation(id: string | null): Write | undefined;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The answer inside a saved one. */
function plain(saved: SavedAnswers[keyof SavedAnswers][number]): Answer {
  const {
    operationId: _o,
    epoch: _e,
    sequence: _s,
    receivedAt: _r,
    receivedLate: _l,
    ...answer
  } = saved;
  return answer;
}

const idIn = (url: string): string => /^\/api\/TestPassing\/([^/]+)\//.exec(url)?.[1] ?? '';

export function createRecord(
  history: History,
  now: () => number,
  schoolTime: () => number,
): RunRecord {
  const record: Omit<RunRecord, 'observer'> = {
    script: [],
    writes: [],
    receipts: [],
    deliveries: [],
    clockChanges: [],
    schoolClockSteps: [],
    restores: [],
    wipedStreams: new Set(),
    onceDeleted: new Set(),
    moved: new Set(),
    made: new Set(),
    everSetAside: new Set(),
    verdictsAtRestore: new Map(),
    startKeys: new Map(),
    tokens: new Map(),
    confirmed: new Map(),
    named: new Map(),
    confirm: (device, attemptId, questionId, body) => {
      const key = `${device}/${attemptId}/${questionId}`;
      const bodies = record.confirmed.get(key) ?? new Set();
      record.confirmed.set(key, bodies.add(body));
    },
    name: (device, operationId) => {
      record.named.set(device, (record.named.get(device) ?? new Set()).add(operationId));
    },
    operation: (id) => record.writes.find((write) => write.operationId === id),
  };

  const userOf = ({ token }: Sending): string | null => record.tokens.get(token ?? '') ?? null;

  function noteStart(sending: Sending): void {
    if (sending.request.headers[HEADER.takeOver] !== undefined || sending.key === null) return;
    const of = `${userOf(sending)}/${idIn(sending.request.url)}`;
    const keys = record.startKeys.get(of) ?? new Set();
    record.startKeys.set(of, keys.add(sending.key));
  }

  function hearReceipt(sending: Sending, reply: WireReply): void {
    const parsed = v.safeParse(Receipt, jsonOf(reply.text));
    if (!parsed.success) return;
    const { operationId, stream, outcome } = parsed.output;
    const { device } = sending;
    const user = userOf(sending) ?? '';
    const at = givenAt.get(reply) ?? now();
    record.receipts.push({ operationId, device, user, stream, outcome, at });
    const body = jsonOf(String(sending.request.payload ?? '')) as Answer | undefined;
    if (sending.kind !== 'answer' || !body) return;
    record.confirm(device, idIn(sending.request.url), body.questionId, bodyOf(body));
  }

  function hearSaved(sending: Sending, reply: WireReply): void {
    const parsed = v.safeParse(SavedAnswers, jsonOf(reply.text));
    if (!parsed.success) return;
    for (const saved of Object.values(parsed.output).flat()) {
      const answer = plain(saved);
      record.name(sending.device, saved.operationId);
      record.confirm(sending.device, idIn(sending.request.url), answer.questionId, bodyOf(answer));
    }
  }

  /** When the server gave a reply: whatever it forgot since, it said this before. */
  const givenAt = new WeakMap<WireReply, number>();

  const observer: NetworkObserver = {
    fault: (kind, about) => history.fault(kind, about),
    suffered: (step, call, fault) => record.script.push(faultDeed(step, call, fault)),
    delivered: (sending, reply, isStale) => {
      const { kind, key, device } = sending;
      givenAt.set(reply, now());
      const name = key === null ? '' : ` ${history.name('o', key)}`;
      history.note(`${device} → ${kind}${name}: ${reply.status}${isStale ? ' (stale)' : ''}`);
      if (kind === 'start') noteStart(sending);
      if (key === null || (kind !== 'answer' && kind !== 'finish' && kind !== 'start')) return;
      const { status } = reply;
      const user = userOf(sending);
      const of = { operationId: key, kind, user, device, about: idIn(sending.request.url) };
      record.deliveries.push({ ...of, status, at: now(), schoolAt: schoolTime(), isStale });
    },
    answered: (sending, reply) => {
      if (reply.status !== 200) return;
      if (sending.kind === 'answer' || sending.kind === 'finish') hearReceipt(sending, reply);
      if (sending.kind === 'savedAnswers') hearSaved(sending, reply);
    },
  };
  return { ...record, observer };
}
