import { ActionIcon, Button, Flex, Stack, Text, UnstyledButton } from '@mantine/core';
import {
  IconArrowLeft,
  IconChevronLeft,
  IconChevronRight,
  IconCopy,
  IconTrash,
} from '@tabler/icons-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Question } from '#contract/questions.ts';
import { QuestionPictures } from '#app/lib/pictures/QuestionPictures.tsx';
import type { DraftEditor } from '#app/drafts/draft.ts';
import { QuestionForm } from '#app/questions/form/QuestionForm.tsx';
import { StudentView } from '#app/questions/form/StudentView.tsx';
import { Icon } from '#app/ui/Icon.tsx';
import { passagesOf, replaceQuestion } from './edits.ts';
import { PANE } from '#app/ui/columns.ts';
import { QuestionConflict } from './QuestionConflict.tsx';
import { knownProblems, type QuestionPlace } from './rows.ts';
import type { EditorTools } from './tools.ts';
import type { EditingState } from './use-editing.ts';

/** The field to focus in an opened form: the first error, else the text. */
const FIRST_WRONG = '[aria-invalid="true"]';
const TEXT = 'textarea';

/** A new question shows no problems before it is left. */
const NOTHING_YET: readonly string[] = [];

export interface QuestionViewProps {
  draft: DraftEditor;
  question: Question;
  place: QuestionPlace;
  places: readonly QuestionPlace[];
  editing: EditingState;
  /** Just created and not left yet. */
  isNew: boolean;
  width: 'phone' | 'middle' | 'wide';
  /** Returns to the list, on phones. */
  onClose: () => void;
  ImproveMenu: EditorTools['ImproveMenu'];
}

/** On phones: links to the list and to the adjacent questions. */
function Steps({ question, places, place, editing, onClose }: QuestionViewProps) {
  const order = places.flatMap(({ rows }) => rows.map(({ id }) => id));
  const at = order.indexOf(question.questionId);
  const step = (by: -1 | 1) => {
    const id = order[at + by];
    if (id !== undefined) editing.open(id);
  };
  return (
    <Flex
      component="nav"
      className="sticky line-below"
      top="var(--app-header)"
      mx="calc(-1 * var(--app-side))"
      ps="calc(var(--app-side) - 1rem)"
      pe={4}
      bg="var(--app-surface)"
      style={{ zIndex: 10 }}
      align="center"
      aria-label="Вопросы теста"
    >
      <Button
        variant="subtle"
        size="sm"
        me="auto"
        leftSection={<Icon of={IconArrowLeft} />}
        onClick={onClose}
      >
        К списку
      </Button>
      <ActionIcon aria-label="Предыдущий вопрос" disabled={at <= 0} onClick={() => step(-1)}>
        <Icon of={IconChevronLeft} />
      </ActionIcon>
      <Text span fz={15} miw="4.5rem" ta="center" className="tabular">
        {place.number} из {places.length}
      </Text>
      <ActionIcon
        aria-label="Следующий вопрос"
        disabled={at === order.length - 1}
        onClick={() => step(1)}
      >
        <Icon of={IconChevronRight} />
      </ActionIcon>
    </Flex>
  );
}

/** The form or the student's view, as tabs if there is no room for both. */
function Side(props: { isOn: boolean; children: string; onClick: () => void }) {
  const { isOn, ...button } = props;
  return (
    <UnstyledButton
      className="tap segment"
      px={4}
      fz={15}
      fw={500}
      aria-pressed={isOn}
      {...button}
    />
  );
}

/** One question: its form, and beside it or in a tab the student view. */
export function QuestionView(props: QuestionViewProps) {
  const { draft, question, place, editing, isNew, width, ImproveMenu } = props;
  const { questionId } = question;
  const shown = useMemo(() => [question], [question]);
  const form = useRef<HTMLDivElement>(null);
  const [seenSince, setSeenSince] = useState<{ focus: EditingState['fieldFocus'] } | null>(null);
  const { fieldFocus, actions } = editing;
  // Requesting a field switches back to the form.
  const isSeen = seenSince !== null && seenSince.focus === fieldFocus;
  useEffect(() => {
    if (fieldFocus?.id !== questionId) return;
    const field =
      form.current?.querySelector<HTMLElement>(FIRST_WRONG) ??
      form.current?.querySelector<HTMLElement>(TEXT);
    field?.focus();
  }, [fieldFocus, questionId]);

  const conflicts = draft.conflicts.filter((one) => one.questionId === questionId);
  const isBeside = width === 'wide';
  return (
    <QuestionPictures of={shown}>
      <Stack miw={0} ref={form} data-undo="draft">
        {width === 'phone' && <Steps {...props} />}
        {conflicts.map((conflict) => (
          <QuestionConflict
            key={conflict.questionId}
            conflict={conflict}
            onDecide={(choice) => draft.resolve(questionId, choice)}
          />
        ))}
        {!isBeside && (
          <Flex
            wrap="wrap"
            gap={3}
            p={3}
            bd="1px solid var(--app-line)"
            bdrs="lg"
            role="group"
            aria-label="Вид вопроса"
          >
            <Side isOn={!isSeen} onClick={() => setSeenSince(null)}>
              Правка
            </Side>
            <Side isOn={isSeen} onClick={() => setSeenSince({ focus: fieldFocus })}>
              Как увидит ученик
            </Side>
          </Flex>
        )}
        {(isBeside || !isSeen) && (
          <QuestionForm
            number={place.number}
            question={question}
            passages={passagesOf(draft.questions)}
            problems={isNew ? NOTHING_YET : knownProblems(question)}
            onChange={(next, field) =>
              draft.change(`Правка вопроса ${place.number}`, replaceQuestion(next), {
                coalesce: `${questionId} ${field}`,
              })
            }
            actions={
              <>
                <ImproveMenu
                  testId={draft.testId}
                  question={question}
                  onReplace={(next) => draft.change('Улучшение с ИИ', replaceQuestion(next))}
                />
                <ActionIcon
                  aria-label="Дублировать вопрос"
                  title="Дублировать"
                  onClick={() => actions.duplicate([questionId])}
                >
                  <Icon of={IconCopy} />
                </ActionIcon>
                <ActionIcon
                  aria-label="Удалить вопрос"
                  title="Удалить"
                  onClick={() => actions.remove([questionId])}
                >
                  <Icon of={IconTrash} />
                </ActionIcon>
              </>
            }
          />
        )}
        {!isBeside && isSeen && <StudentView number={place.number} question={question} />}
      </Stack>
      {isBeside && (
        <div className={PANE}>
          <StudentView number={place.number} question={question} />
        </div>
      )}
    </QuestionPictures>
  );
}
