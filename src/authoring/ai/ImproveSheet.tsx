import { Button } from '@mantine/core';
import { useRouteContext } from '@tanstack/react-router';
import { useState } from 'react';
import * as v from 'valibot';
import type { AiWish } from '#contract/ai.ts';
import type { Question } from '#contract/questions.ts';
import { Theme } from '#contract/themes.ts';
import { settingsQuery } from '#app/authoring/queries.ts';
import { QuestionKey } from '#app/authoring/QuestionKey.tsx';
import { usePageQuery } from '#app/offline/use-page-query.ts';
import { GuardDialog } from '#app/ui/GuardDialog.tsx';
import { InlineNote } from '#app/ui/InlineNote.tsx';
import { RichText } from '#app/ui/RichText.tsx';
import { Sheet } from '#app/ui/Sheet.tsx';
import classes from './ai.module.css';
import { rememberTold, wasTold } from './kept-work.ts';
import { ToldPanel } from './ToldPanel.tsx';
import { useRevision } from './use-revision.ts';
import { wishesOf } from './wishes.ts';
import { WishField } from './WishField.tsx';
import { inPlaceOf } from './work.ts';

type Resolve = (key: string) => Promise<string>;

function Side({
  title,
  question,
  resolve,
}: {
  title: string;
  question: Question;
  resolve: Resolve;
}) {
  return (
    <section className={classes.card} aria-label={title}>
      <h3>{title}</h3>
      <RichText className={classes.text} text={question.text} resolveImage={resolve} />
      <QuestionKey question={question} resolve={resolve} />
    </section>
  );
}

/** A question of the test as it is and as a provider would have it, side by side. */
export function ImproveSheet({
  provider,
  question,
  testId,
  resolve,
  onReplace,
  onClose,
}: {
  provider: { host: string; model: string };
  question: Question;
  testId: string;
  resolve: Resolve;
  onReplace: (question: Question) => void;
  onClose: () => void;
}) {
  const { app } = useRouteContext({ from: '__root__' });
  const [isTold, setTold] = useState(() => wasTold(app.local, provider.host));
  const [isMissed, setMissed] = useState(false);
  const [isWishing, setWishing] = useState(false);
  const [isLeaving, setLeaving] = useState(false);
  const [fresh, setFresh] = useState<Question | null>(null);
  const { data: settings } = usePageQuery(settingsQuery(testId));
  const revision = useRevision(v.is(Theme, settings?.theme) ? settings.theme : '');
  const ask = (wish: AiWish, wishes = '') => {
    setWishing(false);
    if (!isTold) return setMissed(true);
    // Wishes go on from what was written last.
    revision.ask(fresh ?? question, wish, wishes, (next) => setFresh(inPlaceOf(question, next)));
  };
  if (isLeaving) {
    return (
      <GuardDialog
        title="Закрыть без замены?"
        words="Новый вариант вопроса пропадёт, в тесте останется прежний."
        stay="Вернуться к вариантам"
        leave="Закрыть"
        onStay={() => setLeaving(false)}
        onLeave={onClose}
      />
    );
  }
  return (
    <Sheet
      opened
      size="lg"
      title="Улучшить с ИИ"
      onClose={() => (fresh ? setLeaving(true) : onClose())}
      footer={
        <>
          <Button data-autofocus variant={fresh ? 'default' : 'filled'} onClick={onClose}>
            Оставить как было
          </Button>
          {fresh && (
            <Button
              onClick={() => {
                onReplace(fresh);
                onClose();
              }}
            >
              Заменить
            </Button>
          )}
        </>
      }
    >
      <div className={classes.wishes}>
        <ToldPanel
          {...provider}
          isTold={isTold}
          isMissed={isMissed}
          onTold={() => {
            rememberTold(app.local, provider.host);
            setTold(true);
          }}
        />
        <div className={classes.chips} role="group" aria-label="Что сделать с вопросом">
          {wishesOf(question.kind).map(({ wish, label, icon: Icon }) => (
            <Button
              key={wish}
              size="sm"
              variant="default"
              disabled={revision.isBusy}
              leftSection={<Icon size={20} stroke={1.75} aria-hidden />}
              onClick={() => (wish === 'own' ? setWishing(true) : ask(wish))}
            >
              {label}
            </Button>
          ))}
        </div>
        {isWishing && (
          <WishField onAsk={(wishes) => ask('own', wishes)} onClose={() => setWishing(false)} />
        )}
        <div role="status">
          {revision.isBusy && (
            <div className={classes.writing}>
              <p>ИИ пишет вопрос по-новому…</p>
              <Button size="sm" variant="default" onClick={revision.stop}>
                Остановить
              </Button>
            </div>
          )}
        </div>
        <div role="alert">
          {revision.problem !== null && <InlineNote tone="bad">{revision.problem}</InlineNote>}
        </div>
      </div>
      <div className={classes.sides}>
        <Side title="Как было" question={question} resolve={resolve} />
        {fresh && <Side title="Как станет" question={fresh} resolve={resolve} />}
      </div>
    </Sheet>
  );
}
