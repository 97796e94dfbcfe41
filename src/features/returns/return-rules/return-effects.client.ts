/** Effects of return rules in words. */
import { methodLabels, outcomeLabels } from '#features/returns/returns/return-policy.labels.ts'
import type { ReturnRuleEffects } from '#features/returns/returns/return-policy.schemas.ts'
import type { Exemption } from '#features/returns/returns/returns.codes.ts'
import { list, money, percent } from '#ui/kit/format.ts'
import { t } from '#ui/kit/translate.ts'

export const exemptionWord = (exemption: Exemption): string =>
  ({
    custom_made: t('Made to measure for the customer'),
    hygiene: t('Sealed goods, opened: hygiene'),
    perishable: t('Perishable goods'),
    media: t('Sealed recordings or software, opened'),
  })[exemption]

/** Each effect in a few words, such as `Window 60 days · Fee 49.00 kr.`. */
export function effectsText(effects: ReturnRuleEffects, currency: string): string {
  const { window_days, refuse, review, fee, outcomes, methods, photo, keep, destination, question } = effects
  return [
    refuse && t('Refused'),
    window_days !== null && t('Window {{count}} days', { count: window_days }),
    fee && t('Fee {{amount}}', { amount: 'amount' in fee ? money(fee.amount, currency) : percent(fee.percent / 100) }),
    review && (review === 'always' ? t('Approved by a person') : t('Approved at once')),
    outcomes && t('Offers {{list}}', { list: list(outcomes.map(one => t(outcomeLabels[one]))) }),
    methods && t('Sent by: {{list}}', { list: list(methods.map(one => t(methodLabels[one]))) }),
    photo && t('Photo required'),
    keep && t('Customer keeps the item'),
    destination && t('Goes to {{place}}', { place: destination.bin || destination.address }),
    question && t('Asks a question'),
  ]
    .filter(Boolean)
    .join(' · ')
}
