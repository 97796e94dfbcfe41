/** How many deliveries of a webhook arrived and failed on each of the last days. */
import { Text } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { day, daysAgo } from '#ui/kit/format.ts'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { Skeleton } from '#ui/kit/Skeleton.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useCall } from '#ui/query/calls.ts'
import style from './Webhooks.module.css'
import { chartDays } from './webhooks.codes.ts'
import { webhooks } from './webhooks.contract.ts'

const Bars = lazy(() => import('#ui/kit/Bars.tsx'))

export function DeliveryDays({ id }: { id: number }) {
  const t = useT()
  const answer = useCall(webhooks.days, { id }, { live: [{ topic: 'outgoing_webhook', id }], keep: true })
  return (
    <QueryState of={answer} shape="rows">
      {({ rows }) =>
        rows.length === 0 ? (
          <Text size="sm" c="dimmed" mb="sm">
            {t('Nothing was delivered in the last {{count}} days.', { count: chartDays })}
          </Text>
        ) : (
          <div className={style.chart} role="img" aria-label={t('Deliveries by day')}>
            <Suspense fallback={<Skeleton shape="rows" rows={3} />}>
              <Bars
                stacked
                points={Array.from({ length: chartDays }, (_, ago) => daysAgo(chartDays - 1 - ago)).map(date => {
                  const found = rows.find(row => row.day === date)
                  return { name: day(date), delivered: found?.delivered ?? 0, failed: found?.failed ?? 0 }
                })}
                series={[
                  { key: 'delivered', label: t('Delivered'), color: 'var(--done)' },
                  { key: 'failed', label: t('Failed'), color: 'var(--stop)' },
                ]}
              />
            </Suspense>
          </div>
        )
      }
    </QueryState>
  )
}
