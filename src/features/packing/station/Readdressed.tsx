/** Customer service changed the address meanwhile: what was written on the box by hand is wrong now. */
import { Button } from '@mantine/core'
import { IconMapPin } from '@tabler/icons-react'
import type { PackingOrder } from '#features/packing/packing/packing.schemas.ts'
import { country } from '#ui/kit/format.ts'
import { useT } from '#ui/kit/translate.ts'
import style from './PackingView.module.css'
import { ByKey, useStation } from './station-parts.tsx'

export default function Readdressed({ order }: { order: PackingOrder }) {
  const t = useT()
  const { dispatch } = useStation()
  const { ship_to } = order
  return (
    <div className={style.warning} role="alert">
      <IconMapPin size={64} aria-hidden />
      <h2>{t('The address was changed')}</h2>
      <blockquote>
        {[
          ship_to.name || order.customer_name,
          ship_to.company,
          ship_to.address1,
          `${ship_to.postcode} ${ship_to.city}`.trim(),
          country(ship_to.country),
        ]
          .filter(Boolean)
          .join(', ')}
        <cite>{t('The label is made for this address. Cross out what was written by hand.')}</cite>
      </blockquote>
      <Button size="xl" color="var(--on-signal-soon)" onClick={() => dispatch({ type: 'primary' })} rightSection={<ByKey keys="Enter" />}>
        {t('Continue')}
      </Button>
      <p>{t('Or scan the next item.')}</p>
    </div>
  )
}
