import { Flex } from '@mantine/core';
import { useIntersection } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ProjectFile } from '#contract/projects.ts';
import { BlobImage } from '#app/ui/data/BlobImage.tsx';
import { logoQuery } from './queries.ts';

export interface ProjectLogoProps {
  logo: ProjectFile | null;
  /** Its first letter is the fallback. */
  name: string;
  size?: 'sm' | 'md' | 'lg';
}

/** Distance from the visible area at which a logo is loaded. */
const AROUND = '400px';

/** Side and corner of the square. */
const SIZES = {
  sm: { side: 44, corner: 'md' },
  md: { side: 80, corner: 'lg' },
  lg: { side: 104, corner: 'xl' },
} as const;

const firstLetter = (name: string) => /\p{L}|\p{N}/u.exec(name)?.[0].toLocaleUpperCase('ru') ?? '';

/** The lazy-loaded picture of a project; decorative, since the name is beside it. */
export function ProjectLogo({ logo, name, size = 'md' }: ProjectLogoProps) {
  const { ref, entry } = useIntersection({ rootMargin: AROUND });
  const [isBroken, setBroken] = useState(false);
  const { data, isError } = useQuery({
    ...logoQuery(logo?.key ?? ''),
    enabled: entry?.isIntersecting === true && logo !== null,
  });
  const isMissing = logo === null || isError || isBroken;
  const { side, corner } = SIZES[size];
  return (
    <Flex
      ref={ref}
      className="filled"
      flex="none"
      align="center"
      justify="center"
      w={side}
      h={side}
      bd={isMissing ? '1px solid var(--app-line)' : undefined}
      bdrs={corner}
      bg="var(--app-quiet-soft)"
      c="dimmed"
      fz={side * 0.42}
      fw={600}
      lh={1}
      aria-hidden
    >
      {isMissing
        ? firstLetter(name)
        : data && <BlobImage picture={data} alt="" onError={() => setBroken(true)} />}
    </Flex>
  );
}
