import { VisuallyHidden } from '@mantine/core';

/** The head of a cell's column, spoken before it: the rows of a list have no header cells. */
export function CellHead({ children }: { children: string }) {
  return <VisuallyHidden>{`${children}: `}</VisuallyHidden>;
}
