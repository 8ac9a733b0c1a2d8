import { Button, Group, Text, Stack } from '@mantine/core';
import { IconAlertTriangle, IconArrowBackUp, IconCheck } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState } from 'react';
import { QUESTION_ROWS_PER_TEST, QUESTIONS_PER_TEST } from '#contract/limits.ts';
import type { Question } from '#contract/questions.ts';
import { formatCount, formatPoints, plural, QUESTIONS } from '#domain/format.ts';
import type { DraftEditor } from '#app/drafts/draft.ts';
import { QuestionPictures } from '#app/lib/pictures/QuestionPictures.tsx';
import { FieldError } from '#app/ui/forms/FieldError.tsx';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { QuietButton } from '#app/ui/QuietButton.tsx';
import { QuestionKey } from '#app/questions/QuestionKey.tsx';
import { StudentView } from '#app/questions/form/StudentView.tsx';
import { Modal } from '#app/ui/overlays/Modal.tsx';
import { countAfterAdding, questionsToAdd, totalsOf, type DrawnQuestion } from './assembly.ts';
import { nearDuplicateMessages } from './near-duplicates.ts';
import { ResultPart } from './ResultPart.tsx';
import type { AssemblyState } from './use-assembly.ts';

/** The bar of the result, as a card. */
const FROM_DESKTOP = {
  bottom: { md: 0 },
  mx: { md: 0 },
  px: { md: '1rem' },
  bd: { md: '1px solid var(--app-line)' },
  bdrs: { md: 'lg' },
} as const;

/** A drawn question: student view and key. */
function DrawModal({
  looked,
  onClose,
}: {
  looked: { readonly item: DrawnQuestion; readonly number: number } | null;
  onClose: () => void;
}) {
  return (
    <Modal
      opened={looked !== null}
      onClose={onClose}
      size="lg"
      title={looked ? `Вопрос ${looked.number}` : ''}
    >
      {looked && (
        <Stack gap="sm">
          <StudentView number={looked.number} question={looked.item.question} />
          <h3>Верный ответ</h3>
          <QuestionKey question={looked.item.question} />
        </Stack>
      )}
    </Modal>
  );
}

const CHANGE = 'Подбор вопросов';
const NOTHING: readonly DrawnQuestion[] = [];

/** Why these cannot be added to the test; null: they can. */
function tooMany(inTest: readonly Question[], added: readonly Question[]): string | null {
  if (countAfterAdding(inTest, added) > QUESTIONS_PER_TEST)
    return `В тесте станет больше ${QUESTIONS_PER_TEST} вопросов. Уберите лишние`;
  if (inTest.length + added.length > QUESTION_ROWS_PER_TEST)
    return `Вопросов с вариантами станет больше ${QUESTION_ROWS_PER_TEST}. Уберите лишние`;
  return null;
}

/** The added questions, a link to them, and undo. */
function AddedNote({ draft, count }: { draft: DraftEditor; count: number }) {
  const verb = plural(count, ['Добавлен', 'Добавлено', 'Добавлено']);
  return (
    <InlineNote
      tone="ok"
      icon={IconCheck}
      role="status"
      action={
        <Group gap="xs">
          <Link to="/tests/manage/$testId/edit/custom" params={{ testId: draft.testId }}>
            Открыть вручную
          </Link>
          {draft.undoLabel === CHANGE && (
            <QuietButton icon={IconArrowBackUp} onClick={() => draft.undo()}>
              Отменить
            </QuietButton>
          )}
        </Group>
      }
    >
      {verb} {formatCount(count, QUESTIONS)}. Теперь это обычные вопросы теста.
    </InlineNote>
  );
}

/** The drawn questions, for review and adding to the test. */
export function Assembled({ draft, assembly }: { draft: DraftEditor; assembly: AssemblyState }) {
  const { assembly: drawn, progress } = assembly;
  const [looked, setLooked] = useState<{ item: DrawnQuestion; number: number } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const items = drawn?.items ?? NOTHING;
  const questions = useMemo(() => items.map(({ question }) => question), [items]);
  const title = useRef<HTMLHeadingElement>(null);
  const walks = drawn?.walks;
  const known = useRef(walks);
  // Replacements continue the same draw.
  useEffect(() => {
    if (walks && walks !== known.current) title.current?.focus();
    known.current = walks;
  }, [walks]);

  if (progress !== null) {
    return (
      <Group gap="0.5rem 1rem" justify="space-between" role="status">
        <p>
          {progress.total === 0
            ? 'Подбираем вопросы'
            : `Подбираем вопросы: ${progress.done} из ${progress.total}`}
        </p>
        <Button variant="default" size="sm" onClick={assembly.stop}>
          Остановить
        </Button>
      </Group>
    );
  }
  if (!drawn) return null;
  const warnings = [...drawn.shortages, ...nearDuplicateMessages(items)];
  const totals = totalsOf(items);
  const drawnIds = new Set(questions.map(({ questionId }) => questionId));
  if (draft.questions.some(({ questionId }) => drawnIds.has(questionId)))
    return <AddedNote draft={draft} count={totals.questions} />;
  const counted = formatCount(totals.questions, QUESTIONS);
  const add = () => {
    const ready = questionsToAdd(items);
    const refusal = tooMany(draft.questions, ready);
    setProblem(refusal);
    if (refusal !== null) return;
    draft.change(CHANGE, (now) => {
      const known = new Set(now.map(({ questionId }) => questionId));
      return [...now, ...ready.filter(({ questionId }) => !known.has(questionId))];
    });
  };
  return (
    <QuestionPictures of={questions}>
      <Stack component="section" aria-labelledby="drawn">
        <Group gap="0.5rem 1rem" justify="space-between">
          <h2 id="drawn" ref={title} tabIndex={-1}>
            Подобрано
          </h2>
          <Text size="sm" textWrap="pretty" c="dimmed" role="status">
            {counted}, {formatPoints(totals.points)}
          </Text>
        </Group>
        {warnings.length > 0 && (
          <InlineNote tone="warn" icon={IconAlertTriangle}>
            {warnings.map((words) => (
              <p key={words}>{words}</p>
            ))}
          </InlineNote>
        )}
        {items.length === 0 ? (
          <p>Ничего не подобрано. Измените предмет, темы или сложность и подберите снова.</p>
        ) : (
          <>
            <ResultPart
              items={items}
              notes={assembly.notes}
              actions={{
                onReplace: assembly.replace,
                onRemove: assembly.remove,
                onLook: (item, number) => setLooked({ item, number }),
              }}
            />
            <Group className="bottom-bar" gap="0.5rem 0.75rem" {...FROM_DESKTOP}>
              <Text className="tabular" flex="1 1 10rem" fz="sm">
                {counted}, {formatPoints(totals.points)}
              </Text>
              <div role="alert">{problem !== null && <FieldError>{problem}</FieldError>}</div>
              <Button flex={{ base: '1 1 auto', sm: '0 1 auto' }} onClick={add}>
                Добавить в тест {counted}
              </Button>
            </Group>
          </>
        )}
        <DrawModal looked={looked} onClose={() => setLooked(null)} />
      </Stack>
    </QuestionPictures>
  );
}
