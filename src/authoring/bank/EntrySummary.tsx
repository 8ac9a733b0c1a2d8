import type { BankEntry } from '#contract/bank.ts';
import { formKindOf } from '#domain/change-kind.ts';
import { facilityWords } from '#domain/labels-bank.ts';
import { difficultyLabel, subjectLabel } from '#domain/labels.ts';
import { KindIcon } from '#app/authoring/editor/kinds.tsx';
import { RichText } from '#app/ui/RichText.tsx';
import { ShareBar } from '#app/ui/ShareBar.tsx';
import classes from './Bank.module.css';

/** Pictures say nothing at this size, and would each be fetched. */
const withoutPictures = (text: string) => text.replaceAll(/!\[([^\]]*)\]\([^)]*\)/g, '$1');

/** What a question of the bank is: kind, words, and what it is filed under. */
export function EntrySummary({ entry }: { entry: BankEntry }) {
  const { question, theme } = entry;
  const { title = '', topic = '', difficulty, tags = [] } = question;
  const filed = [
    ...(theme === '' ? [] : [subjectLabel(theme)]),
    ...(topic === '' ? [] : [topic]),
    ...(difficulty === undefined ? [] : [difficultyLabel(difficulty)]),
  ];
  return (
    <div className={classes.summary}>
      <span className={classes.kind}>
        <KindIcon kind={formKindOf(question)} />
      </span>
      <div className={classes.words}>
        {title !== '' && <p className={classes.title}>{title}</p>}
        <div className={classes.clamp}>
          <RichText inline text={withoutPictures(question.text)} />
        </div>
        {(filed.length > 0 || tags.length > 0) && (
          <p className={classes.filed}>
            {filed.join(' · ')}
            {tags.map((tag) => (
              <span key={tag} className={classes.tag}>
                {tag}
              </span>
            ))}
          </p>
        )}
      </div>
    </div>
  );
}

/** How many solve it: bar, figure and words. */
export function Facility({ facility }: { facility: number | null }) {
  return (
    <span className={classes.facility}>
      {facility !== null && <ShareBar share={facility} width="4rem" />}
      {facilityWords(facility)}
    </span>
  );
}
