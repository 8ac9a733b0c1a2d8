import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { StudentQuestion } from '#contract/questions.ts';
import { toggleChoice } from '#app/ui/ChoiceList.tsx';
import { InlineNote } from '#app/ui/InlineNote.tsx';
import { MarkButton } from '#app/ui/MarkButton.tsx';
import { QuestionGrid } from '#app/ui/QuestionGrid.tsx';
import { RichText } from '#app/ui/RichText.tsx';
import { Sheet } from '#app/ui/Sheet.tsx';
import { TakingBar } from '#app/ui/TakingBar.tsx';
import { TakingHeader } from '#app/ui/TakingHeader.tsx';
import { QuestionText, TakingLayout } from '#app/ui/TakingLayout.tsx';
import { PreviewAnswer, previewPoints } from './PreviewAnswer.tsx';
import classes from './preview.module.css';
import { isAnswered, usePreviewAnswers } from './use-preview-answers.ts';

export interface PreviewTakingProps {
  title: string;
  /** Below the title: what is shown. */
  detail: string;
  questions: readonly StudentQuestion[];
  /** Milliseconds that a student has. */
  passMs: number;
  resolve: (key: string) => Promise<string>;
}

/** Digits and Enter as on the taking page, for the document that the preview is drawn in. */
function useFrameKeys(keys: { onDigit: (digit: number) => void; onNext: () => void }) {
  const place = useRef<HTMLDivElement>(null);
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    const inner = place.current?.ownerDocument;
    if (!inner || inner === document) return;
    const onKeyDown = (event: KeyboardEvent) => {
      // Elements of another document are instances of its own classes.
      const { tagName } = event.target as Element;
      const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.repeat;
      const isChoice = (event.target as Element).matches('[type=radio], [type=checkbox]');
      if (event.defaultPrevented || !isPlain || inner.querySelector('dialog[open]')) return;
      if (/^(INPUT|TEXTAREA)$/.test(tagName) && !isChoice) return;
      if (/^[1-9]$/.test(event.key)) latest.current.onDigit(Number(event.key));
      else if (event.key === 'Enter' && tagName !== 'BUTTON') latest.current.onNext();
      else return;
      event.preventDefault();
    };
    inner.addEventListener('keydown', onKeyDown);
    return () => inner.removeEventListener('keydown', onKeyDown);
  }, []);
  return place;
}

/** The taking page of a test, answered without storing anything. */
export function PreviewTaking({ title, detail, questions, passMs, resolve }: PreviewTakingProps) {
  const answers = usePreviewAnswers();
  const [chosen, setCurrent] = useState(0);
  // Questions may go while somebody looks: an editor elsewhere deletes them.
  const current = Math.min(chosen, questions.length - 1);
  const [sheet, setSheet] = useState<'questions' | 'finish' | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const question = questions[current];
  const go = (index: number) => {
    setSheet(null);
    setCurrent(Math.min(Math.max(0, index), questions.length - 1));
    heading.current?.focus({ preventScroll: true });
  };
  const next = () => {
    if (current < questions.length - 1) go(current + 1);
    else setSheet('finish');
  };
  const place = useFrameKeys({
    onNext: next,
    onDigit: (digit) => {
      if (question?.kind !== 'variant') return;
      const option = question.options[digit - 1];
      if (!option) return;
      const choice = {
        options: question.options.map(({ optionId, text }) => ({ id: optionId, text })),
        selected: answers.of(question.questionId).optionIds ?? [],
        multiple: question.multiple,
      };
      answers.set(question.questionId, { optionIds: toggleChoice(choice, option.optionId) });
    },
  });
  if (!question) return null;

  const marks = questions.map(({ questionId }) => {
    const answer = answers.of(questionId);
    return { answered: isAnswered(answer), marked: answer.marked ?? false };
  });
  const answered = marks.filter((mark) => mark.answered).length;
  const textId = `preview-${question.questionId}`;
  const answer = answers.of(question.questionId);
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
            sync={<span className={classes.sync}>ничего не сохраняется</span>}
          />
        }
        aside={
          <>
            <div className={classes.asideHead}>
              <h2>Вопросы</h2>
              <span className="tabular">
                {answered} из {questions.length}
              </span>
            </div>
            <QuestionGrid questions={marks} current={current} onSelect={go} />
          </>
        }
        number={current + 1}
        points={previewPoints(question)}
        mark={
          <MarkButton
            marked={answer.marked ?? false}
            onToggle={() => answers.set(question.questionId, { marked: !(answer.marked ?? false) })}
          />
        }
        headingRef={heading}
        bar={
          <TakingBar
            current={current}
            total={questions.length}
            onBack={() => go(current - 1)}
            onNext={next}
            onFinish={() => setSheet('finish')}
            onOpenGrid={() => setSheet('questions')}
            keyOptions={question.kind === 'variant' ? question.options.length : 0}
          />
        }
      >
        <QuestionText id={textId}>
          <RichText text={question.text} resolveImage={resolve} />
        </QuestionText>
        <PreviewAnswer
          key={question.questionId}
          question={question}
          answer={answer}
          labelledBy={textId}
          resolve={resolve}
          onAnswer={(part) => answers.set(question.questionId, part)}
          onNext={next}
        />
      </TakingLayout>
      <Sheet
        opened={sheet === 'questions'}
        onClose={() => setSheet(null)}
        title="Все вопросы"
        footer={
          <Button variant="subtle" onClick={() => setSheet('finish')}>
            Завершить тест…
          </Button>
        }
      >
        <QuestionGrid questions={marks} current={current} onSelect={go} />
      </Sheet>
      <Sheet
        opened={sheet === 'finish'}
        onClose={() => setSheet(null)}
        title="Это предпросмотр"
        footer={
          <>
            <Button data-autofocus onClick={() => setSheet(null)}>
              Вернуться к вопросам
            </Button>
            <Button
              variant="default"
              onClick={() => {
                answers.clear();
                go(0);
              }}
            >
              Начать заново
            </Button>
          </>
        }
      >
        <InlineNote>
          Ученик завершил бы здесь тест. Ваши ответы нигде не сохранены: отвечено {answered} из{' '}
          {questions.length}.
        </InlineNote>
      </Sheet>
    </div>
  );
}
