/** The words for the reasons of holds. */
import { t } from '#ui/kit/translate.ts'

export function reasonWord(reason: string): string {
  const words: Record<string, string> = {
    address: t('Address'),
    customer: t('Customer'),
    payment: t('Payment'),
    fraud: t('Fraud'),
    stock: t('Stock'),
    cancel_requested: t('Cancellation requested'),
    other: t('Other reason'),
    alert: t('Order alert'),
    shop: t('On hold by the shop'),
    country: t('This country is not shipped to'),
    postcode: t('The postcode looks wrong'),
    no_address: t('The order came without an address'),
    partial: t('Rest of a partial shipment'),
    manual: t('Locked by a person'),
    auto: t('Locked until a time'),
  }
  return words[reason] ?? reason
}
