import { Text } from '@mantine/core';
import { fileRulesHint } from '#app/ui/forms/offered-files.ts';
import type { KeyViewProps, KindAuthoring } from '#app/questions/authoring.ts';
import { FilePart } from './FilePart.tsx';

const KeyView = ({ question }: KeyViewProps<'file'>) => (
  <Text inherit c="dimmed">
    {fileRulesHint(question.accept, question.maxBytes, question.maxFiles)}
  </Text>
);

export const fileAuthoring: KindAuthoring<'file'> = { Editor: FilePart, KeyView };
