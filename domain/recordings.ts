/** A recording in a text: `![описание](audio-file:KEY)`, a picture's form with another scheme. */
const RECORDING = /\]\(audio-file:[0-9a-f-]{36}\)/;

/** Whether a text, or any text of a question, plays a recording. */
export const hasRecording = (value: unknown): boolean => RECORDING.test(JSON.stringify(value));
