import type { ReadonlySignal } from '@preact/signals-react';
import type { ProjectFile } from '#contract/projects.ts';
import { DropFile, type DropFileProps } from '#app/ui/forms/DropFile.tsx';
import { useSignalValue } from '#app/ui/forms/use-signal-value.ts';

interface FileFieldOfFormProps extends Pick<
  DropFileProps,
  'label' | 'name' | 'accept' | 'maxBytes' | 'onPick' | 'inputRef' | 'isDisabled'
> {
  field: { value: ReadonlySignal<File | undefined>; error: ReadonlySignal<string> };
  /** The stored file, shown until another one is picked. */
  kept?: (ProjectFile & { preview?: string | null }) | null | undefined;
}

/** A file field: the picked file, else the stored one. */
export function FileFieldOfForm({ field, kept, ...control }: FileFieldOfFormProps) {
  const picked = useSignalValue(field.value);
  const isPicture = picked?.type.startsWith('image/') ?? false;
  const shown = picked
    ? { name: picked.name, size: picked.size, preview: isPicture ? picked : null, isPicture }
    : kept && { ...kept, isPicture: kept.mimeType.startsWith('image/') };
  return (
    <DropFile {...control} file={shown ?? null} error={useSignalValue(field.error)} isRequired />
  );
}
