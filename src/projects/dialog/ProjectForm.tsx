import { Button } from '@mantine/core';
import { focus, reset, setError, setValue, useForm, valiForm } from '@modular-forms/react';
import { useEffect, useRef, useState } from 'react';
import { parse } from 'valibot';
import {
  createProject,
  EXTRA_PHOTOS_MOST,
  updateProject,
  type ProjectDetails,
} from '#contract/projects.ts';
import { DOCUMENTATION_BYTES } from '#contract/limits.ts';
import { PICTURE_FILE_BYTES } from '#app/offline/prepare-picture.ts';
import { FieldError } from '#app/ui/FieldError.tsx';
import { TextField } from '#app/ui/TextField.tsx';
import { useMedia } from '#app/ui/use-media.ts';
import { useSignalValue } from '#app/ui/use-signal-value.ts';
import { useToldDirty } from '#app/ui/use-told-dirty.ts';
import type { ProjectFileUrls } from '#app/projects/data-urls.ts';
import { CountedArea, CountedField } from './CountedField.tsx';
import { ExtraPhotos } from './ExtraPhotos.tsx';
import { FileFieldOfForm } from './FileFieldOfForm.tsx';
import {
  ChangedProjectForm,
  changesInput,
  initialValues,
  newProjectInput,
  NewProjectForm,
  type ProjectValues,
} from './form-values.ts';
import classes from './ProjectForm.module.css';
import { saveProblem } from './save-problem.ts';
import { UploadLine } from './UploadLine.tsx';
import { useLogo } from './use-logo.ts';
import { useSaveProject } from './use-save-project.ts';

export interface ProjectFormProps {
  /** Null: a project is added. */
  edited: { project: ProjectDetails; files: ProjectFileUrls } | null;
  /** Of who is signed in: the owner of a new project. */
  userName: string;
  onDirty: (isDirty: boolean) => void;
  /** With the project's name. */
  onSaved: (name: string) => void;
}

const ORDER = [
  'name',
  'shortDescription',
  'description',
  'landingURL',
  'logoPhoto',
  'documentation',
] as const satisfies readonly (keyof ProjectValues)[];

const schemaFor = (edited: ProjectFormProps['edited']) =>
  edited
    ? ChangedProjectForm({
        logo: edited.project.logo !== null,
        documentation: edited.project.documentation !== null,
      })
    : NewProjectForm;

/** Fields of a project; «Сохранить» waits for a change or a picked file (specification, section 4). */
export function ProjectForm({ edited, userName, onDirty, onSaved }: ProjectFormProps) {
  const [schema] = useState(() => schemaFor(edited));
  const [form, { Form, Field }] = useForm<ProjectValues>({
    initialValues: initialValues(edited?.project ?? null),
    validate: valiForm<ProjectValues>(schema),
    validateOn: 'blur',
    revalidateOn: 'change',
  });
  const [problem, setProblem] = useState<string | null>(null);
  const [refused, setRefused] = useState<keyof ProjectValues | null>(null);
  const { save, cancel, progress } = useSaveProject();
  const isDesktop = useMedia('(min-width: 1024px)');
  const isDirty = useSignalValue(form.dirty);
  const isSending = useSignalValue(form.submitting);
  const logo = useLogo(form);
  useToldDirty(isDirty, onDirty);
  const submitButton = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // A file's field and the button take the focus only after the sending.
    if (isSending) return;
    if (refused !== null) focus(form, refused);
    else if (problem !== null) submitButton.current?.focus();
  }, [form, refused, problem, isSending]);

  const submit = async (values: ProjectValues) => {
    setProblem(null);
    setRefused(null);
    const given = parse(schema, values);
    const outcome = edited
      ? await save(updateProject, changesInput(edited.project, given, userName))
      : await save(createProject, newProjectInput(given, userName));
    if (outcome.kind === 'saved') {
      reset(form);
      onSaved(given.name);
    } else if (outcome.kind === 'cancelled') {
      setProblem('Отправка отменена. Всё введённое осталось в форме.');
    } else {
      const { fields, form: words } = saveProblem(outcome.error, outcome.isAllSent);
      setProblem(words);
      const wrong = ORDER.filter((name) => fields.has(name));
      for (const name of wrong) {
        setError(form, name, fields.get(name) ?? '', { shouldFocus: false });
      }
      setRefused(wrong[0] ?? null);
    }
  };

  return (
    <Form onSubmit={submit} className={classes.form} noValidate>
      <Field name="name">
        {(field, props) => <CountedField {...props} field={field} label="Название" most={50} />}
      </Field>
      <Field name="shortDescription">
        {(field, props) => (
          <CountedArea
            {...props}
            field={field}
            label="Краткое описание"
            description="Его видно на карточке в списке"
            most={150}
            rows={3}
          />
        )}
      </Field>
      <Field name="description">
        {(field, props) => (
          <CountedArea {...props} field={field} label="Подробное описание" most={1000} rows={6} />
        )}
      </Field>
      <Field name="landingURL">
        {(field, props) => (
          <CountedField
            {...props}
            field={field}
            label="Сайт проекта"
            description="Необязательно. Полный адрес, начиная с https://"
            isRequired={false}
            inputMode="url"
          />
        )}
      </Field>
      <TextField
        label="Владелец"
        type="text"
        error=""
        readOnly
        value={edited?.project.ownerName ?? userName}
      />
      <Field name="logoPhoto" type="File">
        {(field, { name, ref }) => (
          <FileFieldOfForm
            field={field}
            name={name}
            inputRef={ref}
            label="Логотип"
            accept={PICTURES}
            maxBytes={PICTURE_FILE_BYTES}
            kept={edited?.project.logo && { ...edited.project.logo, preview: edited.files.logo }}
            isDisabled={isSending}
            onPick={logo.pick}
          />
        )}
      </Field>
      <Field name="documentation" type="File">
        {(field, { name, ref }) => (
          <FileFieldOfForm
            field={field}
            name={name}
            inputRef={ref}
            label="Документация"
            accept={DOCUMENTATION}
            maxBytes={DOCUMENTATION_BYTES}
            kept={edited?.project.documentation}
            isDisabled={isSending}
            onPick={(file) => setValue(form, 'documentation', file)}
          />
        )}
      </Field>
      {isDesktop && (
        <Field name="projectPhoto" type="File[]">
          {(field) => (
            <ExtraPhotos
              field={field}
              most={EXTRA_PHOTOS_MOST}
              onChange={(photos) => setValue(form, 'projectPhoto', photos)}
            />
          )}
        </Field>
      )}
      <div className={classes.foot}>
        <div role="alert">{problem !== null && <FieldError>{problem}</FieldError>}</div>
        {progress && <UploadLine {...progress} onCancel={cancel} />}
        <Button
          ref={submitButton}
          type="submit"
          fullWidth
          disabled={!isDirty}
          loading={isSending || logo.isPreparing}
          // Leaving a field may show its error, which moves the button away under the finger.
          onMouseDown={(event) => event.preventDefault()}
        >
          Сохранить
        </Button>
      </div>
    </Form>
  );
}

const PICTURES = ['image/*'] as const;
const DOCUMENTATION = ['.doc', '.docx', '.pdf'] as const;
