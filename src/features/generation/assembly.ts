import { pickFromBank, type BankEntry } from '#contract/bank.ts';
import type { Question } from '#contract/questions.ts';
import type { Generation, QuestionTemplate } from '#contract/templates.ts';
import { bankEntryId, copiedQuestion } from '#domain/bank.ts';
import { countSelected, byPlace } from '#domain/variants.ts';
import { call } from '#app/api/call.ts';
import { newId } from '#app/lib/new-id.ts';
import type { Slot } from './generation-form.ts';
import { breath, type Breath } from './slices.ts';
import { questionOf, type Drawn } from './template/drawn-question.ts';
import { Walk } from './template/draws.ts';
import { TemplateError } from './template/template-error.ts';
import { shortageMessage } from './messages.ts';

export interface BankSource {
  readonly kind: 'bank';
  readonly entryId: string;
  /** The slot it was drawn for; a replacement is drawn for the same. */
  readonly slot: Slot;
  readonly facility: number | null;
}

export interface TemplateSource {
  readonly kind: 'template';
  readonly template: QuestionTemplate;
}

/** A candidate question and its source. */
export interface DrawnQuestion {
  readonly question: Question;
  readonly source: BankSource | TemplateSource;
}

/** The drawn questions, with the state for further draws. */
export interface Assembly {
  readonly generation: Generation;
  readonly items: readonly DrawnQuestion[];
  /** Messages about requested but unavailable questions. */
  readonly shortages: readonly string[];
  readonly walks: ReadonlyMap<string, Walk>;
  /** Replaced entries, which are not drawn again. */
  readonly refused: readonly string[];
}

export interface AssemblyProgress {
  readonly done: number;
  readonly total: number;
}

const MAX_EXCLUDED = 2_000;

function bankItem(
  { question, entryId, facility }: BankEntry,
  generation: Generation,
): DrawnQuestion {
  const { difficulty } = question;
  const slot = difficulty && generation.mix[difficulty] > 0 ? difficulty : 'any';
  const copy = copiedQuestion(question, newId);
  return {
    question: { ...copy, origin: { kind: 'bank', entryId, seed: generation.seed } },
    source: { kind: 'bank', entryId, slot, facility },
  };
}

const wantedOfBank = ({ mix }: Generation) => mix.easy + mix.medium + mix.hard + mix.any;

async function drawBank(
  generation: Generation,
  inTest: readonly Question[],
): Promise<Pick<Assembly, 'items' | 'shortages'>> {
  if (wantedOfBank(generation) === 0) return { items: [], shortages: [] };
  const { criteria, mix, seed } = generation;
  const exclude = [...new Set(inTest.map(bankEntryId))].slice(0, MAX_EXCLUDED);
  const picked = await call(pickFromBank, { body: { criteria, mix, seed, exclude } });
  return {
    items: picked.items.map((entry) => bankItem(entry, generation)),
    shortages: picked.shortages.map(shortageMessage),
  };
}

/** The next draw, yielding to the page. */
async function nextDraw(walk: Walk, rest: Breath): Promise<Drawn | null> {
  const search = walk.seek();
  for (;;) {
    const step = search.next();
    if (step.done) return step.value;
    await rest();
  }
}

const templateItem = (
  template: QuestionTemplate,
  seed: string,
  drawn: Drawn,
  variantOf: string | null,
): DrawnQuestion => {
  const question = questionOf(template, seed, drawn, newId);
  return {
    question: variantOf === null ? question : { ...question, variantOf },
    source: { kind: 'template', template },
  };
};

/** Draws as many as requested or available; reports what is missing. */
async function drawTemplate(
  template: QuestionTemplate,
  { count, perStudent }: Generation['templates'][number],
  seed: string,
  tick: () => Promise<void>,
): Promise<{ items: DrawnQuestion[]; shortage: string | null; walk: Walk | null }> {
  const items: DrawnQuestion[] = [];
  const named = `Шаблон «${template.body.title}»`;
  const variantOf = perStudent ? newId() : null;
  try {
    const walk = new Walk(template, seed);
    const rest = breath();
    while (items.length < count) {
      const drawn = await nextDraw(walk, rest);
      if (!drawn) break;
      items.push(templateItem(template, seed, drawn, variantOf));
      await tick();
    }
    const shortage =
      items.length < count ? `${named}: разных вариантов всего ${items.length} из ${count}.` : null;
    return { items, shortage, walk };
  } catch (cause) {
    if (!(cause instanceof TemplateError)) throw cause;
    return { items, shortage: `${named}: ${cause.message}.`, walk: null };
  }
}

/**
 * Draws a test's questions: from the bank on the server, from templates here, in time slices that let the page respond.
 * Throws `ApiFailure`, and the signal's reason once it is aborted.
 */
export async function assemble(
  generation: Generation,
  {
    templates,
    inTest,
    signal,
    onProgress,
  }: {
    templates: readonly QuestionTemplate[];
    inTest: readonly Question[];
    signal: AbortSignal;
    onProgress: (progress: AssemblyProgress) => void;
  },
): Promise<Assembly> {
  const total =
    wantedOfBank(generation) + generation.templates.reduce((sum, { count }) => sum + count, 0);
  const bank = await drawBank(generation, inTest);
  const items = [...bank.items];
  const shortages = [...bank.shortages];
  const walks = new Map<string, Walk>();
  const rest = breath();
  let done = items.length;
  const tick = async () => {
    signal.throwIfAborted();
    done += 1;
    if (await rest()) onProgress({ done, total });
  };
  for (const chosen of generation.templates) {
    const template = templates.find(({ templateId }) => templateId === chosen.templateId);
    if (!template) continue;
    const drawn = await drawTemplate(template, chosen, generation.seed, tick);
    items.push(...drawn.items);
    if (drawn.shortage !== null) shortages.push(drawn.shortage);
    if (drawn.walk) walks.set(template.templateId, drawn.walk);
  }
  signal.throwIfAborted();
  return { generation, items, shortages, walks, refused: [] };
}

const idOf = ({ question }: DrawnQuestion) => question.questionId;

async function anotherOfBank(
  assembly: Assembly,
  { slot }: BankSource,
  inTest: readonly Question[],
): Promise<DrawnQuestion | null> {
  const { generation, items, refused } = assembly;
  const shown = items.flatMap(({ source }) => (source.kind === 'bank' ? [source.entryId] : []));
  const exclude = [...new Set([...shown, ...refused, ...inTest.map(bankEntryId)])];
  const { items: picked } = await call(pickFromBank, {
    body: {
      criteria: generation.criteria,
      mix: { easy: 0, medium: 0, hard: 0, any: 0, [slot]: 1 },
      seed: `${generation.seed}/${exclude.length}`,
      exclude: exclude.slice(0, MAX_EXCLUDED),
    },
  });
  const [entry] = picked;
  return entry ? bankItem(entry, generation) : null;
}

async function anotherOfTemplate(
  { generation, walks }: Assembly,
  { template }: TemplateSource,
  variantOf: string | null,
): Promise<DrawnQuestion | null> {
  const walk = walks.get(template.templateId);
  const drawn = walk ? await nextDraw(walk, breath()) : null;
  return drawn && templateItem(template, generation.seed, drawn, variantOf);
}

/** Draws a replacement; null: there is no other. Throws `ApiFailure`. */
export async function anotherFor(
  assembly: Assembly,
  item: DrawnQuestion,
  inTest: readonly Question[],
): Promise<DrawnQuestion | null> {
  const { question, source } = item;
  if (source.kind === 'bank') return anotherOfBank(assembly, source, inTest);
  return anotherOfTemplate(assembly, source, question.variantOf ?? null);
}

const refusedWith = ({ refused }: Assembly, { source }: DrawnQuestion) =>
  source.kind === 'bank' ? [...refused, source.entryId] : refused;

/** Replaces one question, which is not drawn again. */
export function replaced(assembly: Assembly, old: DrawnQuestion, next: DrawnQuestion): Assembly {
  const items = assembly.items.map((item) => (idOf(item) === idOf(old) ? next : item));
  return { ...assembly, items, refused: refusedWith(assembly, old) };
}

export function removed(assembly: Assembly, old: DrawnQuestion): Assembly {
  const items = assembly.items.filter((item) => idOf(item) !== idOf(old));
  return { ...assembly, items, refused: refusedWith(assembly, old) };
}

/** Number of questions and points of one attempt. */
export function totalsOf(items: readonly DrawnQuestion[]): { questions: number; points: number } {
  const places = byPlace(items.map(({ question }) => question));
  let points = 0;
  for (const [first] of places.values()) points += first?.points ?? 0;
  return { questions: places.size, points };
}

/** Groups drawn questions by place. */
export function placesOf(items: readonly DrawnQuestion[]): (readonly DrawnQuestion[])[] {
  const byId = new Map(items.map((item) => [idOf(item), item]));
  return [...byPlace(items.map(({ question }) => question)).values()].map((alternatives) =>
    alternatives.flatMap(({ questionId }) => byId.get(questionId) ?? []),
  );
}

/** The questions for the test: a single alternative becomes an ordinary question. */
export function questionsToAdd(items: readonly DrawnQuestion[]): Question[] {
  return placesOf(items).flatMap((alternatives) =>
    alternatives.map(({ question }) => {
      if (alternatives.length > 1) return question;
      const { variantOf: _, ...alone } = question;
      return alone;
    }),
  );
}

/** Number of questions of an attempt once these are added. */
export const countAfterAdding = (inTest: readonly Question[], added: readonly Question[]): number =>
  countSelected([...inTest, ...added]);
