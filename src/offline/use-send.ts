import { useState } from 'react';
import { failureWords } from './failure-words.ts';
import { fieldProblems, type FieldCodes } from './field-problems.ts';

export interface SendOptions {
  /** Rejects with `ApiFailure`; resolves with what was done, in words, null: nothing was. */
  send: () => Promise<string | null>;
  show: (problems: ReadonlyMap<string, string>) => boolean;
  codes?: FieldCodes;
  /** What to say under the form of a failure that belongs to no field. */
  words?: (error: unknown) => string | null;
}

/** Sends a form; a refusal is said at its field, else under the form. */
export function useSend({ send, show, codes = {}, words = failureWords }: SendOptions) {
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [done, setDone] = useState<string | null>(null);
  const submit = async () => {
    setSending(true);
    setProblem(null);
    setDone(null);
    try {
      setDone(await send());
    } catch (error) {
      if (!show(fieldProblems(error, codes))) setProblem(words(error));
    } finally {
      setSending(false);
    }
  };
  return { isSending, problem, done, submit };
}
