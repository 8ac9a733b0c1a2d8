import { VisuallyHidden } from '@mantine/core';

/** The column's name, spoken before the cell: the rows of a list have no header cells. */
export function CellHead({ children }: { children: string }) {
  return <VisuallyHidden>{`${children}: `}</VisuallyHidden>;
}
