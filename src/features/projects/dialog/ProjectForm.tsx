import { Box, Button, Group, Stack } from '@mantine/core';
import { Field, focus, FormError, getErrors, reset, setValue } from '@modular-forms/react';
import { useEffect, useRef, useState } from 'react';
import type { ReadonlySignal } from '@preact/signals-react';
import {
  createProject,
  MAX_EXTRA_PHOTOS,
  updateProject,
  type ProjectDetails,
  type ProjectFile,
} from '#contract/projects.ts';
import { DOCUMENTATION_BYTES } from '#contract/limits.ts';
import { MAX_PHOTO_BYTES } from '#app/lib/pictures/prepare-picture.ts';
import { useAppForm } from '#app/lib/use-app-form.ts';
import { AppForm } from '#app/ui/forms/AppForm.tsx';
import { FieldError } from '#app/ui/forms/FieldError.tsx';
import { FormField } from '#app/ui/forms/FormField.tsx';
import { TextField } from '#app/ui/forms/TextField.tsx';
import { useMedia } from '#app/ui/use-media.ts';
import { useSignalValue } from '#app/ui/forms/use-signal-value.ts';
import { useReportDirty } from '#app/ui/forms/use-report-dirty.ts';
import type { ProjectFileUrls } from '#app/features/projects/data-urls.ts';
import { FileField, type FileFrameProps } from '#app/ui/forms/FileField.tsx';
import { formatSizeProgress } from '#domain/format.ts';
import { ShareBar } from '#app/ui/data/ShareBar.tsx';
import { QuietButton } from '#app/ui/QuietButton.tsx';
import { CountedArea, CountedField } from './CountedField.tsx';
import { ExtraPhotos } from './ExtraPhotos.tsx';
import {
  ChangedProjectForm,
  changesInput,
  initialValues,
  newProjectInput,
  NewProjectForm,
  type ProjectValues,
} from './form-values.ts';
import { saveProblem } from './save-problem.ts';
import { useLogo } from './use-logo.ts';
import { useSaveProject } from './use-save-project.ts';

interface UploadLineProps {
  /** Bytes. */
  sent: number;
  total: number;
  onCancel: () => void;
}

/** «Отправляется, 1,5 из 2,4 МБ» with a cancel button. */
function UploadLine({ sent, total, onCancel }: UploadLineProps) {
  const share = total === 0 ? 0 : Math.min(1, sent / total);
  return (
    <Group gap="0 1rem" justify="space-between" fz="sm">
      <Box
        flex="1 0 100%"
        lh={0}
        role="progressbar"
        aria-label="Отправлено"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(share * 100)}
      >
        <ShareBar share={share} width="100%" />
      </Box>
      <span className="tabular">
        {total === 0 ? 'Отправляется' : `Отправляется, ${formatSizeProgress(sent, total)}`}
      </span>
      <QuietButton onClick={onCancel}>Отменить</QuietButton>
    </Group>
  );
}

interface FileFieldOfFormProps extends Pick<
  FileFrameProps,
  'label' | 'name' | 'accept' | 'maxBytes' | 'onPick' | 'inputRef' | 'isLocked'
> {
  field: { value: ReadonlySignal<File | undefined>; error: ReadonlySignal<string> };
  /** The stored file, shown until another one is picked. */
  stored?: (ProjectFile & { preview?: string | null }) | null | undefined;
}

/** A file field: the picked file, else the stored one. */
function FileFieldOfForm({ field, stored, ...control }: FileFieldOfFormProps) {
  const picked = useSignalValue(field.value);
  const isPicture = picked?.type.startsWith('image/') ?? false;
  const shown = picked
    ? { name: picked.name, size: picked.size, preview: isPicture ? picked : null, isPicture }
    : stored && { ...stored, isPicture: stored.mimeType.startsWith('image/') };
  return (
    <FileField
      look="frame"
      {...control}
      file={shown ?? null}
      error={useSignalValue(field.error)}
      isRequired
    />
  );
}

export interface ProjectFormProps {
  /** Null: a project is added. */
  edited: { project: ProjectDetails; files: ProjectFileUrls } | null;
  /** Name of the signed-in person: the owner of a new project. */
  userName: string;
  onDirty: (isDirty: boolean) => void;
  /** With the project's name. */
  onSaved: (name: string) => void;
}

const schemaFor = (edited: ProjectFormProps['edited']) =>
  edited
    ? ChangedProjectForm({
        logo: edited.project.logo !== null,
        documentation: edited.project.documentation !== null,
      })
    : NewProjectForm;

function useProjectForm(
  { edited, userName, onSaved }: Pick<ProjectFormProps, 'edited' | 'userName' | 'onSaved'>,
  save: ReturnType<typeof useSaveProject>['save'],
) {
  const [schema] = useState(() => schemaFor(edited));
  const form = useAppForm({
    schema,
    initialValues: initialValues(edited?.project ?? null),
    send: async (given) => {
      const outcome = edited
        ? await save(updateProject, changesInput(edited.project, given, userName))
        : await save(createProject, newProjectInput(given, userName));
      if (outcome.kind === 'cancelled')
        throw new FormError('Отправка отменена. Всё введённое осталось в форме.');
      if (outcome.kind === 'failed') {
        const { fields, form: message } = saveProblem(outcome.error, outcome.isAllSent);
        throw new FormError(message ?? '', Object.fromEntries(fields));
      }
      reset(form.store);
      onSaved(given.name);
    },
  });
  return form;
}

type ProjectFormState = ReturnType<typeof useProjectForm>;

function TextFields({ of, ownerName }: { of: ProjectFormState; ownerName: string }) {
  return (
    <>
      <FormField
        of={of}
        component={CountedField}
        name="name"
        label="Название"
        type="text"
        autoComplete="off"
        aria-required
        most={50}
      />
      <FormField
        of={of}
        component={CountedArea}
        name="shortDescription"
        label="Краткое описание"
        description="Его видно на карточке в списке"
        aria-required
        most={150}
        rows={3}
      />
      <FormField
        of={of}
        component={CountedArea}
        name="description"
        label="Подробное описание"
        aria-required
        most={1000}
        rows={6}
      />
      <FormField
        of={of}
        name="landingURL"
        label="Сайт проекта"
        description="Полный адрес, начиная с https://"
        type="text"
        autoComplete="off"
        inputMode="url"
        aria-required
      />
      <TextField label="Владелец" type="text" error="" readOnly value={ownerName} />
    </>
  );
}

/** After a failed submit the button gets the focus, or the first wrong field. */
function useProblemFocus(
  store: ProjectFormState['store'],
  problem: string | undefined,
  isSending: boolean,
) {
  const submitButton = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // File field and button can be focused only after submitting.
    if (isSending) return;
    const [wrong] = Object.keys(getErrors(store)) as (keyof ProjectValues)[];
    if (problem !== undefined) submitButton.current?.focus();
    else if (wrong !== undefined) focus(store, wrong);
  }, [store, problem, isSending]);
  return submitButton;
}

/** Fields of a project; «Сохранить» waits for a change or a picked file (specification, section 4). */
export function ProjectForm({ edited, userName, onDirty, onSaved }: ProjectFormProps) {
  const { save, cancel, progress } = useSaveProject();
  const form = useProjectForm({ edited, userName, onSaved }, save);
  const { store } = form;
  const isDesktop = useMedia('(min-width: 1024px)');
  const isDirty = useSignalValue(store.dirty);
  const isSending = useSignalValue(store.submitting);
  const { message: problem } = useSignalValue(store.response);
  const logo = useLogo(store);
  useReportDirty(isDirty, onDirty);
  const submitButton = useProblemFocus(store, problem, isSending);

  return (
    <AppForm of={form}>
      <TextFields of={form} ownerName={edited?.project.ownerName ?? userName} />
      <Field of={store} name="logoPhoto" type="File">
        {(field, { name, ref }) => (
          <FileFieldOfForm
            field={field}
            name={name}
            inputRef={ref}
            label="Логотип"
            accept={PICTURES}
            maxBytes={MAX_PHOTO_BYTES}
            stored={edited?.project.logo && { ...edited.project.logo, preview: edited.files.logo }}
            isLocked={isSending}
            onPick={logo.pick}
          />
        )}
      </Field>
      <Field of={store} name="documentation" type="File">
        {(field, { name, ref }) => (
          <FileFieldOfForm
            field={field}
            name={name}
            inputRef={ref}
            label="Документация"
            accept={DOCUMENTATION}
            maxBytes={DOCUMENTATION_BYTES}
            stored={edited?.project.documentation}
            isLocked={isSending}
            onPick={(file) => setValue(store, 'documentation', file)}
          />
        )}
      </Field>
      {isDesktop && (
        <Field of={store} name="projectPhoto" type="File[]">
          {(field) => (
            <ExtraPhotos
              field={field}
              most={MAX_EXTRA_PHOTOS}
              onChange={(photos) => setValue(store, 'projectPhoto', photos)}
            />
          )}
        </Field>
      )}
      <Stack
        gap="xs"
        className="sticky line-above"
        bottom={{ base: '-1rem', sm: '-1.5rem' }}
        mx={{ base: '-1rem', sm: '-1.5rem' }}
        mb={{ base: '-1rem', sm: '-1.5rem' }}
        p={{
          base: '0.75rem 1rem calc(1rem + var(--app-safe-bottom))',
          sm: '0.75rem 1.5rem 1.5rem',
        }}
        bg="var(--app-raised)"
        style={{ zIndex: 1 }}
      >
        <div role="alert">
          <FieldError>{problem}</FieldError>
        </div>
        {progress && <UploadLine {...progress} onCancel={cancel} />}
        <Button
          ref={submitButton}
          type="submit"
          fullWidth
          disabled={!isDirty}
          loading={isSending || logo.isPreparing}
          // Blurring a field may show its error, which would move the button away from the pointer.
          onMouseDown={(event) => event.preventDefault()}
        >
          Сохранить
        </Button>
      </Stack>
    </AppForm>
  );
}

const PICTURES = ['image/*'] as const;
const DOCUMENTATION = ['.doc', '.docx', '.pdf'] as const;
