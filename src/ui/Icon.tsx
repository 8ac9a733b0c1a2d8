import type { Icon as IconType } from '@tabler/icons-react';

export type { IconType };

interface Props {
  of: IconType;
  /** px */
  size?: number;
  className?: string | undefined;
}

/** A decorative line icon beside a text with the same meaning; hidden from screen readers. */
export const Icon = ({ of: Svg, size = 20, className }: Props) => (
  <Svg size={size} stroke={size < 18 ? 2 : 1.75} aria-hidden className={className} />
);
