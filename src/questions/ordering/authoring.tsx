import { renderInline } from '#app/ui/rich-text/render-inline.tsx';
import classes from '#app/questions/authoring.module.css';
import type { KeyViewProps, KindAuthoring } from '#app/questions/authoring.ts';
import { withNames } from '#app/questions/placeholders.ts';
import { ItemsPart } from './ItemsPart.tsx';

const KeyView = ({ question }: KeyViewProps<'ordering'>) => (
  <ol className={classes.key}>
    {question.items.map(({ itemId, text }, index) => (
      <li key={itemId}>
        <span>
          {index + 1}. {renderInline(text)}
        </span>
      </li>
    ))}
  </ol>
);

export const orderingAuthoring: KindAuthoring<'ordering'> = {
  Editor: ItemsPart,
  KeyView,
  hasParts: ({ items }) => items.length > 0,
  withPlaceholders: (question) => ({ ...question, items: withNames(question.items, 'пункт') }),
};
