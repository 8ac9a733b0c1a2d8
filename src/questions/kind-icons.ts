import type { FormKind } from '#domain/change-kind.ts';
import type { IconType } from '#app/ui/Icon.tsx';
import { complianceIcons } from './compliance/icons.ts';
import { fileIcons } from './file/icons.ts';
import { gapsIcons } from './gaps/icons.ts';
import { openIcons } from './open/icons.ts';
import { orderingIcons } from './ordering/icons.ts';
import { variantIcons } from './variant/icons.ts';

/** The icons of the kinds that a teacher can choose. */
export const KIND_ICONS: Readonly<Record<FormKind, IconType>> = {
  ...variantIcons,
  ...openIcons,
  ...complianceIcons,
  ...orderingIcons,
  ...gapsIcons,
  ...fileIcons,
};
