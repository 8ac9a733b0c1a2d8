import { Button } from '@mantine/core';
import type { AttemptView } from '#app/outbox/types.ts';
import { QuestionGrid } from '#app/ui/QuestionGrid.tsx';
import { Sheet } from '#app/ui/Sheet.tsx';
import classes from './passing.module.css';
import { progressWords } from './words.ts';

export interface QuestionsProps {
  view: AttemptView;
  current: number;
  locked: boolean;
  onSelect: (index: number) => void;
  onFinish: () => void;
}

/** «Все вопросы»: where one is, what is answered, and the way to the finish. */
export function QuestionsSheet({
  opened,
  onClose,
  ...props
}: QuestionsProps & { opened: boolean; onClose: () => void }) {
  const { view, locked, onSelect, onFinish } = props;
  const firstFree = view.answers.findIndex((question) => !question.answered);
  const go = (index: number) => {
    onClose();
    onSelect(index);
  };
  return (
    <Sheet
      opened={opened}
      onClose={onClose}
      title="Все вопросы"
      footer={
        <div className={classes.buttons}>
          {firstFree >= 0 && !locked && (
            <Button variant="default" onClick={() => go(firstFree)}>
              К первому без ответа: {firstFree + 1}
            </Button>
          )}
          {!locked && (
            <Button
              variant="subtle"
              onClick={() => {
                onClose();
                onFinish();
              }}
            >
              Завершить тест…
            </Button>
          )}
        </div>
      }
    >
      <p className={classes.progress}>{progressWords(view)}</p>
      <QuestionGrid questions={view.answers} current={props.current} onSelect={go} />
    </Sheet>
  );
}

/** The same at the left from 1024 px. */
export function QuestionsAside({ view, current, locked, onSelect, onFinish }: QuestionsProps) {
  return (
    <>
      <div className={classes.asideHead}>
        <h2>Вопросы</h2>
        <span className="tabular">
          {view.counts.answered} из {view.counts.total}
        </span>
      </div>
      <QuestionGrid questions={view.answers} current={current} onSelect={onSelect} />
      {!locked && (
        <Button variant="default" className={classes.asideFinish} onClick={onFinish}>
          Завершить тест…
        </Button>
      )}
    </>
  );
}
