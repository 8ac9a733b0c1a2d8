import { fileRulesHint } from '#app/ui/forms/FileField.tsx';
import classes from '#app/questions/authoring.module.css';
import type { KeyViewProps, KindAuthoring } from '#app/questions/authoring.ts';
import { FilePart } from './FilePart.tsx';

const KeyView = ({ question }: KeyViewProps<'file'>) => (
  <p className={classes.quiet}>
    {fileRulesHint(question.accept, question.maxBytes, question.maxFiles)}
  </p>
);

export const fileAuthoring: KindAuthoring<'file'> = { Editor: FilePart, KeyView };
