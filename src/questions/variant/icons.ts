import { IconCircleDot, IconSquareCheck } from '@tabler/icons-react';

export const variantIcons = { single: IconCircleDot, several: IconSquareCheck };
