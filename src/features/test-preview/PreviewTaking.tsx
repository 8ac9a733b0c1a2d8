import { Button, Flex, Text, Title } from '@mantine/core';
import { useRef, useState } from 'react';
import type { StudentQuestion } from '#contract/questions.ts';
import { isAnswered } from '#domain/answered.ts';
import { questionPointsLabel } from '#domain/labels-points.ts';
import { Passage } from '#app/ui/taking/Passage.tsx';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { MarkButton } from '#app/ui/taking/MarkButton.tsx';
import { QuestionGrid } from '#app/ui/taking/QuestionGrid.tsx';
import { Modal } from '#app/ui/overlays/Modal.tsx';
import { TakingBar } from '#app/ui/taking/TakingBar.tsx';
import { TakingHeader } from '#app/ui/taking/TakingHeader.tsx';
import { TakingLayout } from '#app/ui/taking/TakingLayout.tsx';
import { useTakingKeys } from '#app/ui/taking/use-taking-keys.ts';
import { digitsOf, pressDigit } from '#app/questions/answer-inputs.ts';
import { QuestionContent } from '#app/questions/QuestionContent.tsx';
import { useMemoryAnswers } from '#app/questions/use-memory-answers.ts';

export interface PreviewTakingProps {
  title: string;
  /** Subtitle: the shown version. */
  detail: string;
  questions: readonly StudentQuestion[];
  /** Duration of an attempt, milliseconds. */
  passMs: number;
}

type PreviewModal = 'questions' | 'finish';

interface MarksProps {
  marks: readonly { answered: boolean; marked: boolean }[];
  answered: number;
  current: number;
  onSelect: (index: number) => void;
}

function PreviewAside({ marks, answered, current, onSelect }: MarksProps) {
  return (
    <>
      <Flex align="baseline" justify="space-between" mb="sm">
        <Title order={2} fz="lg">
          Вопросы
        </Title>
        <Text span inherit c="dimmed" className="tabular">
          {answered} из {marks.length}
        </Text>
      </Flex>
      <QuestionGrid questions={marks} current={current} onSelect={onSelect} />
    </>
  );
}

function PreviewModals({
  opened,
  setOpened,
  marks,
  answered,
  current,
  onSelect,
  onRestart,
}: MarksProps & {
  opened: PreviewModal | null;
  setOpened: (opened: PreviewModal | null) => void;
  onRestart: () => void;
}) {
  return (
    <>
      <Modal
        opened={opened === 'questions'}
        onClose={() => setOpened(null)}
        title="Все вопросы"
        footer={
          <Button variant="subtle" onClick={() => setOpened('finish')}>
            Завершить тест…
          </Button>
        }
      >
        <QuestionGrid questions={marks} current={current} onSelect={onSelect} />
      </Modal>
      <Modal
        opened={opened === 'finish'}
        onClose={() => setOpened(null)}
        title="Это предпросмотр"
        footer={
          <>
            <Button data-autofocus onClick={() => setOpened(null)}>
              Вернуться к вопросам
            </Button>
            <Button variant="default" onClick={onRestart}>
              Начать заново
            </Button>
          </>
        }
      >
        <InlineNote>
          Ученик завершил бы здесь тест. Ваши ответы нигде не сохранены: отвечено {answered} из{' '}
          {marks.length}.
        </InlineNote>
      </Modal>
    </>
  );
}

/** The ids of the questions marked to return to. */
function useMarks() {
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set());
  const toggleMark = (questionId: string) =>
    setMarked((now) => {
      const next = new Set(now);
      if (!next.delete(questionId)) next.add(questionId);
      return next;
    });
  return {
    isMarked: (questionId: string) => marked.has(questionId),
    toggleMark,
    clearMarks: () => setMarked(new Set()),
  };
}

/** The taking page of a test, answered without storing anything. */
export function PreviewTaking({ title, detail, questions, passMs }: PreviewTakingProps) {
  const { store, shown, clear } = useMemoryAnswers();
  const { isMarked, toggleMark, clearMarks } = useMarks();
  const [chosen, setCurrent] = useState(0);
  // Questions may be deleted elsewhere during the preview.
  const current = Math.min(chosen, questions.length - 1);
  const [openModal, setOpenModal] = useState<PreviewModal | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const question = questions[current];
  const go = (index: number) => {
    setOpenModal(null);
    setCurrent(Math.min(Math.max(0, index), questions.length - 1));
    heading.current?.focus({ preventScroll: true });
  };
  const next = () => {
    if (current < questions.length - 1) go(current + 1);
  };
  const mark = () => question && toggleMark(question.questionId);
  const choose = (digit: number) => {
    if (!question) return;
    const answer = pressDigit(question, shown(question.questionId).answer, digit);
    if (answer) store.choose(answer);
  };
  const place = useRef<HTMLDivElement>(null);
  useTakingKeys({ onDigit: choose, onNext: next, onMark: mark }, true, place);
  if (!question) return null;

  const marks = questions.map(({ questionId }) => ({
    answered: isAnswered(shown(questionId).answer),
    marked: isMarked(questionId),
  }));
  const answered = marks.filter((mark) => mark.answered).length;
  const textId = `preview-${question.questionId}`;
  return (
    <div ref={place}>
      <TakingLayout
        header={
          <TakingHeader
            remainingMs={passMs}
            title={title}
            detail={detail}
            questions={marks}
            current={current}
            sync={
              <Text span size="sm" c="dimmed">
                ничего не сохраняется
              </Text>
            }
          />
        }
        aside={<PreviewAside marks={marks} answered={answered} current={current} onSelect={go} />}
        number={current + 1}
        points={questionPointsLabel(question)}
        mark={<MarkButton marked={isMarked(question.questionId)} onToggle={mark} />}
        headingRef={heading}
        passage={
          question.passage && (
            <Passage key={question.passage.passageId} passage={question.passage} />
          )
        }
        bar={
          <TakingBar
            current={current}
            total={questions.length}
            onBack={() => go(current - 1)}
            onNext={next}
            onFinish={() => setOpenModal('finish')}
            onOpenGrid={() => setOpenModal('questions')}
            keyOptions={digitsOf(question)}
          />
        }
      >
        <QuestionContent
          question={question}
          labelledBy={textId}
          shown={shown(question.questionId)}
          store={store}
          locked={false}
          onNext={next}
        />
      </TakingLayout>
      <PreviewModals
        opened={openModal}
        setOpened={setOpenModal}
        marks={marks}
        answered={answered}
        current={current}
        onSelect={go}
        onRestart={() => {
          clear();
          clearMarks();
          go(0);
        }}
      />
    </div>
  );
}
