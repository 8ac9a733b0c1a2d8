import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ProjectFile } from '#contract/projects.ts';
import { BlobImage } from '#app/ui/data/BlobImage.tsx';
import { useNear } from '#app/ui/use-near.ts';
import classes from './ProjectLogo.module.css';
import { logoQuery } from './queries.ts';

export interface ProjectLogoProps {
  logo: ProjectFile | null;
  /** Its first letter is the fallback. */
  name: string;
  size?: 'sm' | 'md' | 'lg';
}

const firstLetter = (name: string) => /\p{L}|\p{N}/u.exec(name)?.[0].toLocaleUpperCase('ru') ?? '';

/** The lazy-loaded picture of a project; decorative, since the name is beside it. */
export function ProjectLogo({ logo, name, size = 'md' }: ProjectLogoProps) {
  const [ref, isNear] = useNear<HTMLSpanElement>();
  const [isBroken, setBroken] = useState(false);
  const { data, isError } = useQuery({
    ...logoQuery(logo?.key ?? ''),
    enabled: isNear && logo !== null,
  });
  const isMissing = logo === null || isError || isBroken;
  return (
    <span ref={ref} className={classes.logo} data-size={size} aria-hidden>
      {isMissing ? (
        <span className={classes.letter}>{firstLetter(name)}</span>
      ) : (
        data && <BlobImage picture={data} alt="" onError={() => setBroken(true)} />
      )}
    </span>
  );
}
