export interface HelpPageProps {
  /** `student`, `teacher`, `operator`; another word shows the contents. */
  topic: string | null;
}

/** Help in Russian: the pages of docs/help. */
export function HelpPage(_props: HelpPageProps) {
  return null;
}
