/** In the bar of the station: parcels that were packed here and wait for their label. */
import { Button, Popover } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useT } from '#ui/kit/translate.ts'
import { useStation } from './station-parts.tsx'
import style from './UnlabelledOrders.module.css'

export default function UnlabelledOrders() {
  const t = useT()
  const { dispatch, state, situation } = useStation()
  const { unlabelled } = state
  return (
    <Popover position="bottom-end" width={380}>
      <Popover.Target>
        <button type="button" className={style.chip}>
          <IconAlertTriangle size={18} aria-hidden /> {t('Without label')} <b>{unlabelled.length}</b>
        </button>
      </Popover.Target>
      <Popover.Dropdown>
        <ul className={style.list}>
          {unlabelled.map(order => (
            <li key={order.order_id}>
              <b>{order.order_no}</b>
              <Button size="compact-md" onClick={() => dispatch({ type: 'reprint', ...order })}>
                {situation.hasLabelPrinter ? t('Print label') : t('Save as PDF')}
              </Button>
              <Button size="compact-md" variant="default" onClick={() => dispatch({ type: 'labelled', order_id: order.order_id })}>
                {t('It has its label')}
              </Button>
            </li>
          ))}
        </ul>
      </Popover.Dropdown>
    </Popover>
  )
}
