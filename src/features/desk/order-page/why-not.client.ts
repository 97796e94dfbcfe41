import type { actionOf } from '#features/orders/orders/order.labels.tsx'
import { t } from '#ui/kit/translate.ts'

/** Why an action cannot be done to the order now; null where it can. */
export const whyNot = ({ allowed, reason, values }: ReturnType<typeof actionOf>): string | null =>
  allowed ? null : t(reason ?? 'This is not possible in the order’s state.', values)
