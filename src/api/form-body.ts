type Field = string | number | boolean | null | undefined;

interface Parts {
  readonly body?: Readonly<Record<string, Field>>;
  readonly files?: Readonly<Record<string, Blob | undefined>>;
}

/** A multipart form: text fields first, then files; what is undefined or null is left out. */
export function formBody(input: unknown): FormData {
  const { body = {}, files = {} } = input as Parts;
  const form = new FormData();
  for (const [name, value] of Object.entries(body))
    if (value !== undefined && value !== null) form.append(name, String(value));
  for (const [name, file] of Object.entries(files)) {
    if (file) form.append(name, file, file instanceof File ? file.name : `${name}.bin`);
  }
  return form;
}
