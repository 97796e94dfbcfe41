/** Why an order cannot be picked or packed: each cause with its owner, since when, and the button that takes it away. It is loaded when somebody asks. */
import { Button, Group, Stack, Text } from '@mantine/core'
import { isKeyOf } from '#domain/objects.ts'
import { whyNot } from '#features/desk/why-not/why-not.contract.ts'
import type { Cause } from '#features/desk/why-not/why-not.schemas.ts'
import type { Order } from '#features/orders/orders/orders.schemas.ts'
import { Dialog } from '#ui/kit/Dialog.tsx'
import { Link } from '#ui/kit/Link.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useIsOffered } from '#ui/navigation/menu.ts'
import { useCall } from '#ui/query/calls.ts'
import { ReleaseButton } from './OrderHolds.tsx'
import type { ItemsDeed } from './OrderItemsForm.tsx'

interface OrderWhyNotProps {
  order: Order
  release: () => void
  items: (deed: ItemsDeed) => void
  close: () => void
}

export default function OrderWhyNot({ order, release, items, close }: OrderWhyNotProps) {
  const t = useT()
  const causes = useCall(whyNot.ask, { id: order.id }, { live: [{ topic: 'order', id: order.id }, 'pick_list', 'pick_task'] })
  const owners: Record<Cause['owner'], string> = {
    office: t('Office'),
    lead: t('Lead'),
    picker: t('Picker'),
    packer: t('Packer'),
    shop: t('Shop'),
    system: t('Goes by itself'),
  }
  return (
    <Dialog opened size={640} onClose={close} title={t('Why not?')}>
      <QueryState of={causes} shape="rows">
        {rows =>
          rows.length === 0 ? (
            <Text>{t('Nothing stands in its way: it can be picked and packed.')}</Text>
          ) : (
            <Stack>
              {rows.map(cause => (
                <Group key={`${cause.step} ${cause.code}`} justify="space-between" wrap="nowrap" align="flex-start">
                  <div style={{ minWidth: 0 }}>
                    <Text fw={500}>{t(cause.text, cause.values)}</Text>
                    <Group gap="xs">
                      <StateBadge tone="quiet">{cause.step === 'pick' ? t('Picking') : t('Packing')}</StateBadge>
                      <Text size="sm" c="dimmed">
                        {cause.person ?? owners[cause.owner]}
                        {cause.since ? (
                          <>
                            {' · '}
                            <RelativeTime at={cause.since} />
                          </>
                        ) : null}
                      </Text>
                    </Group>
                  </div>
                  <Fix
                    cause={cause}
                    order={order}
                    release={() => {
                      close()
                      release()
                    }}
                    copy={() => {
                      close()
                      items('copy')
                    }}
                  />
                </Group>
              ))}
            </Stack>
          )
        }
      </QueryState>
    </Dialog>
  )
}

const pages = {
  shortages: '/lists/pick/tasks',
  put_back: '/lists/pick/tasks',
  exceptions: '/parcels/exceptions',
  pick_lists: '/lists/pick',
  new_list: '/lists/pick',
  station: '/',
  product: '/parcels/products',
  edit_customs: '/parcels/products',
  map: '/settings/warehouse-map',
} as const

function Fix({ cause, order, release, copy }: { cause: Cause; order: Order; release: () => void; copy: () => void }) {
  const t = useT()
  const words: Record<keyof typeof pages, string> = {
    shortages: t('Decide'),
    put_back: t('Put back'),
    exceptions: t('Open exceptions'),
    pick_lists: t('Open pick lists'),
    new_list: t('New pick list'),
    station: t('Open at station'),
    product: t('Enter bin'),
    edit_customs: t('Complete customs data'),
    map: t('Open map'),
  }
  const page = isKeyOf(pages, cause.fix) ? cause.fix : null
  const offered = useIsOffered(page === null ? '' : pages[page])
  const [lock] = order.locks
  if (cause.fix === 'release_hold') return lock ? <ReleaseButton order={order} lock={lock} /> : null
  if (cause.fix === 'release')
    return (
      <Button size="compact-md" variant="default" onClick={release}>
        {t('Release order')}
      </Button>
    )
  if (cause.fix === 'copy')
    return (
      <Button size="compact-md" variant="default" onClick={copy}>
        {t('Copy as replacement')}
      </Button>
    )
  if (page === null || !offered) return null
  const search = {
    shortages: {},
    put_back: { tab: 'put_backs' },
    exceptions: { query: order.order_no },
    pick_lists: { query: order.order_no },
    new_list: { tab: 'new', orders: [String(order.id)] },
    station: { order: String(order.id) },
    product: { query: String(cause.values.product ?? '') },
    edit_customs: {},
    map: {},
  }[page]
  return (
    <Button component={Link} to={pages[page]} search={search} size="compact-md" variant="default">
      {words[page]}
    </Button>
  )
}
