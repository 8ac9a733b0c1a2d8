import { complianceForms } from './compliance/forms.ts';
import { fileForms } from './file/forms.ts';
import { gapsForms } from './gaps/forms.ts';
import { openForms } from './open/forms.ts';
import { orderingForms } from './ordering/forms.ts';
import type { FormRules, Kind } from './rules.ts';
import { variantForms } from './variant/forms.ts';

/** In the order of menus. */
export const FORM_RULES = {
  variant: variantForms,
  open: openForms,
  compliance: complianceForms,
  ordering: orderingForms,
  gaps: gapsForms,
  file: fileForms,
} satisfies { readonly [K in Kind]: FormRules<K, string> };
