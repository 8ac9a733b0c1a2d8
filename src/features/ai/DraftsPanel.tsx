import { Box, Button, Flex, Group, Text } from '@mantine/core';
import { IconChecks, IconLink, IconPlayerStop, IconRefresh } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { Question } from '#contract/questions.ts';
import { formatCount, formatNumber, plural, QUESTIONS } from '#domain/format.ts';
import type { DraftEditor } from '#app/drafts/draft.ts';
import { QuestionPictures } from '#app/lib/pictures/QuestionPictures.tsx';
import { Icon } from '#app/ui/Icon.tsx';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { QuietButton } from '#app/ui/QuietButton.tsx';
import { DraftCard } from './DraftCard.tsx';
import { similarTo } from '#domain/similar.ts';
import type { DraftingState } from './use-drafting.ts';
import { changed, idOf, type PendingDraft, revised } from './work.ts';

const DRAFTS_ID = 'ai-drafts';

/** The drafts list, which on a phone is below the form. */
export function showDrafts(): void {
  const heading = document.getElementById(DRAFTS_ID);
  const isBelow = (heading?.getBoundingClientRect().top ?? 0) > window.innerHeight / 2;
  if (isBelow) heading?.scrollIntoView({ block: 'start' });
}

/** Scrolls to a draft and announces it. */
function showDraft(id: string): void {
  const card = document.getElementById(`draft-${id}`);
  card?.scrollIntoView({ block: 'start' });
  card?.focus({ preventScroll: true });
}

type Alike =
  | { readonly in: 'test'; readonly number: number; readonly id: string }
  | { readonly in: 'drafts'; readonly number: number; readonly id: string };

function Similar({ testId, alike }: { testId: string; alike: Alike }) {
  if (alike.in === 'drafts') {
    return (
      <InlineNote
        tone="warn"
        icon={IconLink}
        action={
          <QuietButton tone="warn" onClick={() => showDraft(alike.id)}>
            Показать черновик {alike.number}
          </QuietButton>
        }
      >
        Похоже на черновик {alike.number}.
      </InlineNote>
    );
  }
  return (
    <InlineNote tone="warn" icon={IconLink}>
      <Link
        to="/tests/manage/$testId/edit/custom"
        params={{ testId }}
        hash={`question-${alike.id}`}
      >
        Похоже на вопрос {alike.number}
      </Link>
    </InlineNote>
  );
}

/** Finds what a draft duplicates: a question of the test, or an earlier unrefused draft. */
function alikeOf(
  draft: PendingDraft,
  index: number,
  pending: readonly PendingDraft[],
  inTest: readonly Question[],
): Alike | null {
  const duplicate = similarTo(draft.question, inTest);
  if (duplicate) {
    const { questionId: id } = duplicate;
    return { in: 'test', number: inTest.indexOf(duplicate) + 1, id };
  }
  const before = pending
    .slice(0, index)
    .filter(({ isRefused }) => !isRefused)
    .map(({ question }) => question);
  const drafted = similarTo(draft.question, before);
  if (!drafted) return null;
  const at = pending.findIndex(({ question }) => question === drafted);
  return { in: 'drafts', number: at + 1, id: drafted.questionId };
}

/** Result of the last generation, also for screen readers. */
function statusMessage({ progress, ending }: DraftingState): string {
  if (progress) return `Пишем вопросы: ${progress.came} из ${progress.wanted}`;
  if (!ending) return '';
  const { came } = ending;
  const words = `${plural(came, ['Составлен', 'Составлено', 'Составлено'])} ${formatCount(came, QUESTIONS)}`;
  if (ending.kind === 'stopped') return `Остановлено. ${words}`;
  return came === 0 ? 'Ни один вопрос не подошёл' : words;
}

function Ended({ drafting, canAsk }: { drafting: DraftingState; canAsk: boolean }) {
  const { ending, drafts, progress, start } = drafting;
  if (progress) return null;
  const { missing } = drafts;
  const failure = ending?.kind === 'failed' ? ending.message : null;
  if (failure === null && missing === 0) return null;
  const cut = ending?.kind === 'done' && ending.cut ? 'Провайдер оборвал ответ. ' : '';
  const left = missing > 0 ? `Не хватает: ${formatCount(missing, QUESTIONS)}. ` : '';
  const storedNote = drafts.pending.length > 0 ? 'Всё, что пришло, осталось.' : '';
  return (
    <InlineNote
      tone={failure === null ? 'warn' : 'bad'}
      action={
        canAsk && (
          <Button
            size="sm"
            variant="default"
            leftSection={<Icon of={IconRefresh} />}
            onClick={() => start(Math.max(1, missing))}
          >
            {missing > 0 ? `Дописать ${formatNumber(missing)}` : 'Повторить'}
          </Button>
        )
      }
    >
      {failure === null ? cut : `${failure.replace(/\.$/, '')}. `}
      {left}
      {storedNote}
    </InlineNote>
  );
}

function AcceptAll({ count, onClick }: { count: number; onClick: () => void }) {
  return (
    <Button size="sm" variant="default" leftSection={<Icon of={IconChecks} />} onClick={onClick}>
      Принять все без замечаний: {count}
    </Button>
  );
}

/** One pending draft, with the changes of the list that its card requests. */
function PendingCard({
  index,
  one,
  place,
  alike,
  draft,
  drafting,
  canAsk,
  onAccept,
}: {
  index: number;
  one: PendingDraft;
  place: number | null;
  alike: Alike | null | undefined;
  draft: DraftEditor;
  drafting: DraftingState;
  canAsk: boolean;
  onAccept: () => void;
}) {
  const { setDrafts } = drafting;
  const id = idOf(one);
  return (
    <DraftCard
      number={index + 1}
      draft={one}
      place={place}
      similar={alike && <Similar testId={draft.testId} alike={alike} />}
      theme={drafting.form.theme}
      canAsk={canAsk}
      onAccept={onAccept}
      onTakeBack={() =>
        draft.change('Отмена принятия', (questions) =>
          questions.filter(({ questionId }) => questionId !== id),
        )
      }
      onRefuse={(isRefused) =>
        setDrafts((now) => changed(now, id, (given) => ({ ...given, isRefused })))
      }
      onEdit={(question) =>
        setDrafts((now) => changed(now, id, (given) => ({ ...given, question })))
      }
      onRevised={(question) => setDrafts((now) => revised(now, id, question))}
      onRestore={() =>
        setDrafts((now) =>
          changed(now, id, ({ before, ...given }) => ({
            ...given,
            question: before ?? given.question,
            before: null,
          })),
        )
      }
    />
  );
}

function Progress({
  progress,
  onStop,
}: {
  progress: NonNullable<DraftingState['progress']>;
  onStop: () => void;
}) {
  return (
    <Group gap="0.5rem 1rem" p="0.75rem 1rem" bd="1px dashed var(--app-control)" bdrs="lg">
      <Text flex={1} miw={160} aria-hidden>
        Провайдер пишет
        {progress.characters > 0 && `: ${formatNumber(progress.characters)} знаков`}…
      </Text>
      <Button
        size="sm"
        variant="default"
        leftSection={<Icon of={IconPlayerStop} />}
        onClick={onStop}
      >
        Остановить
      </Button>
    </Group>
  );
}

function Rejected({ rejected }: Pick<DraftingState['drafts'], 'rejected'>) {
  return (
    <details>
      <Box component="summary" fw={500}>
        Не подошло: {rejected.length}
      </Box>
      <Flex component="ul" direction="column" gap="sm">
        {rejected.map(({ reason, raw }, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- the list only grows at its end
          <li key={index}>
            {reason.charAt(0).toUpperCase() + reason.slice(1)}
            <Text
              component="code"
              display="block"
              mt={4}
              px="sm"
              py="xs"
              bdrs="md"
              bg="var(--app-quiet-soft)"
              c="var(--app-quiet-text)"
              size="xs"
              className="pre-wrap break-anywhere"
            >
              {raw}
            </Text>
          </li>
        ))}
      </Flex>
    </details>
  );
}

/** The received drafts, each to be accepted or refused. */
export function DraftsPanel({
  draft,
  drafting,
  canAsk,
}: {
  draft: DraftEditor;
  drafting: DraftingState;
  /** A provider is configured and the disclosure is acknowledged. */
  canAsk: boolean;
}) {
  const { drafts, progress } = drafting;
  const { pending, rejected } = drafts;
  const inTest = draft.questions;
  const shown = useMemo(() => pending.map(({ question }) => question), [pending]);
  const places = new Map(inTest.map(({ questionId }, index) => [questionId, index + 1]));
  const placeOf = (one: PendingDraft) => places.get(idOf(one)) ?? null;
  const alikes = useMemo(
    () => pending.map((one, index) => alikeOf(one, index, pending, inTest)),
    [pending, inTest],
  );
  const open = pending.filter((one) => !one.isRefused && placeOf(one) === null);
  const clean = open.filter((one) => !alikes[pending.indexOf(one)]);

  const accept = (label: string, chosen: readonly Question[]) =>
    draft.change(label, (questions) => [
      ...questions,
      ...chosen.filter(({ questionId }) => !questions.some((one) => one.questionId === questionId)),
    ]);
  const acceptClean = () =>
    accept(
      'Принятие вопросов ИИ',
      clean.map(({ question }) => question),
    );

  return (
    <Flex component="section" direction="column" gap="md" aria-labelledby={DRAFTS_ID}>
      <Group gap="0.5rem 1rem" justify="space-between" mih="2.75rem">
        <h2 id={DRAFTS_ID}>Черновики</h2>
        {clean.length > 1 && <AcceptAll count={clean.length} onClick={acceptClean} />}
      </Group>
      <Text role="status" inherit c="dimmed">
        {statusMessage(drafting)}
      </Text>
      <div role="alert">
        <Ended drafting={drafting} canAsk={canAsk} />
      </div>
      {drafting.isUnsaved && (
        <InlineNote tone="warn">
          Браузер не даёт хранить черновики: примите нужные до перезагрузки страницы.
        </InlineNote>
      )}
      {pending.length === 0 && !progress && (
        <InlineNote tone="line">
          Здесь появятся черновики вопросов. В тест попадёт только то, что вы примете.
        </InlineNote>
      )}
      <QuestionPictures of={shown}>
        <Flex component="ol" direction="column" gap="md">
          {pending.map((one, index) => (
            <PendingCard
              key={idOf(one)}
              index={index}
              one={one}
              place={placeOf(one)}
              alike={alikes[index]}
              draft={draft}
              drafting={drafting}
              canAsk={canAsk}
              onAccept={() => accept('Принятие вопроса ИИ', [one.question])}
            />
          ))}
        </Flex>
      </QuestionPictures>
      {progress && <Progress progress={progress} onStop={drafting.stop} />}
      {rejected.length > 0 && <Rejected rejected={rejected} />}
    </Flex>
  );
}
