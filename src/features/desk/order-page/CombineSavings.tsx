/** What labels cost less when orders go in one parcel, in words; nothing where no price is known. */
import { Text } from '@mantine/core'
import { prices } from '#features/shipping/prices/prices.contract.ts'
import { money } from '#ui/kit/format.ts'
import { useT } from '#ui/kit/translate.ts'
import { useCall } from '#ui/query/calls.ts'

type Props = ({ orders: readonly number[] } | { bulk_id: number }) & { className?: string | undefined }

export function CombineSavings({ className, ...of }: Props) {
  const t = useT()
  const asked = 'orders' in of ? { orders: [...of.orders] } : { bulk_id: of.bulk_id }
  const { data } = useCall(prices.savings, asked, { fresh: 60_000 })
  if (!data) return null
  const parts = data.saved
    .filter(one => one.amount !== 0)
    .map(({ amount, currency }) =>
      amount > 0
        ? t('Saves {{amount}} in label costs', { amount: money(amount, currency) })
        : t('One label costs {{amount}} more than separate ones', { amount: money(-amount, currency) }),
    )
  // Where one parcel has a price and another none, the sum is not all of it.
  if (parts.length > 0 && data.unpriced > 0) parts.push(t('{{count}} parcels have no price', { count: data.unpriced }))
  return parts.length > 0 ? <Text className={className}>{parts.join(' · ')}</Text> : null
}
