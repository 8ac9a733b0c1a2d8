/** A recording in a text: `![описание](audio-file:KEY)`, a picture's form with another scheme. */
const RECORDING = /\]\(audio-file:[0-9a-f-]{36}\)/;

export const hasRecording = (text: string): boolean => RECORDING.test(text);
