/** One customer: who it is, what people note, its orders and parcels, who may be the same person, and who looked. */
import {
  ActionIcon,
  Button,
  Checkbox,
  Group,
  Menu,
  NativeSelect,
  SegmentedControl,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import { IconDownload, IconEraser, IconPencil, IconTrash } from '@tabler/icons-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { access } from '#contract/access.ts'
import { limits, locales } from '#contract/limits.ts'
import { isOneOf } from '#domain/objects.ts'
import { EditableTags } from '#features/company/tags/TagPicker.tsx'
import { type CheckType, checkTypes, type NoteType, noteTypes } from '#features/customers/customers/customers.codes.ts'
import { customers } from '#features/customers/customers/customers.contract.ts'
import { checkTypeWord, FlagBadge, NoteBadge, noteWord, reasonWord, shownLookup } from '#features/customers/customers/customers.labels.tsx'
import type { Customer, CustomerNote } from '#features/customers/customers/customers.schemas.ts'
import { PhaseBadge, useCompanyName } from '#features/orders/orders/order.labels.tsx'
import { ShipmentBadge } from '#features/shipping/labels/shipment.labels.tsx'
import { confirm } from '#ui/kit/Confirm.tsx'
import { CopyButton } from '#ui/kit/CopyButton.tsx'
import { DetailPage, type DetailPageProps, Panel, StatusStrip } from '#ui/kit/DetailPage.tsx'
import { Drawer } from '#ui/kit/Drawer.tsx'
import { dayOf, money, number, percent } from '#ui/kit/format.ts'
import { Link } from '#ui/kit/Link.tsx'
import { Page } from '#ui/kit/Page.tsx'
import { Pager } from '#ui/kit/Pager.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { toastError } from '#ui/kit/toasts.ts'
import { localeNames, useT } from '#ui/kit/translate.ts'
import { useIsOffered } from '#ui/navigation/menu.ts'
import { saveFile, send, useCall, useSend } from '#ui/query/calls.ts'
import { useIsAllowed, useSignedIn } from '#ui/query/session.ts'
import { EraseDialog, MergeDialog } from './CustomerDialogs.tsx'
import { CustomerForm } from './CustomerForm.tsx'
import style from './CustomerPage.module.css'
import { customerPage } from './customer-page.contract.ts'

const CustomerReturns = lazy(() => import('#features/returns/returns/CustomerReturns.tsx'))
const CustomerMessages = lazy(() => import('#features/messages/messages/CustomerMessages.tsx'))

const refreshes = [customers.get, customers.search, customers.ofOrder]

export function CustomerPage({ id, back, open }: { id: number; back: DetailPageProps['back']; open: (id: number) => void }) {
  const t = useT()
  const customer = useCall(customers.get, { id }, { live: ['customer'] })
  if (customer.data === undefined)
    return (
      <Page title={t('Customer')} back={back}>
        <QueryState of={customer}>{() => null}</QueryState>
      </Page>
    )
  return <OpenCustomer customer={customer.data} back={back} open={open} />
}

interface Own {
  customer: Customer
}

function OpenCustomer({ customer, back, open }: Own & { back: DetailPageProps['back']; open: (id: number) => void }) {
  const t = useT()
  const companyName = useCompanyName()
  const manages = useIsAllowed(access.customersAdmin)
  const readsMessages = useIsAllowed(access.parcels)
  const [editing, setEditing] = useState(false)
  const [erasing, setErasing] = useState(false)
  const [merging, setMerging] = useState<number | null>(null)
  const copy = useSend(customerPage.copy, { refreshes: [customerPage.requests], said: t('The copy is being made') })
  const { figures } = customer
  const name = customer.name || t('Without a name')
  const [warning] = customer.notes.filter(note => note.type === 'warning' && !isOver(note))
  const flags = [...new Set(customer.flags.map(flag => flag.flag))]
  return (
    <DetailPage
      title={name}
      documentTitle={name}
      badge={flags.map(flag => <FlagBadge key={flag} flag={flag} />)}
      back={back}
      actions={
        <Button variant="default" leftSection={<IconPencil size={16} />} onClick={() => setEditing(true)}>
          {t('Edit customer')}
        </Button>
      }
      more={
        <>
          <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => setEditing(true)}>
            {t('Edit customer')}
          </Menu.Item>
          {manages ? (
            <>
              <Menu.Item leftSection={<IconDownload size={16} />} onClick={() => copy.mutate({ id: customer.customer_id })}>
                {t('Create copy of all data')}
              </Menu.Item>
              <Menu.Divider />
              <Menu.Item color="brick" leftSection={<IconEraser size={16} />} onClick={() => setErasing(true)}>
                {t('Erase person')}
              </Menu.Item>
            </>
          ) : null}
        </>
      }
      strip={
        warning ? (
          <StatusStrip tone="stop">
            <span className={style.sentence}>{warning.note}</span>{' '}
            <span className={style.by}>
              {warning.actor}, <RelativeTime at={warning.created_at} />
            </span>
          </StatusStrip>
        ) : undefined
      }
      facts={[
        { name: t('Orders'), value: number(figures.orders) },
        { name: t('Open orders'), value: number(figures.open) },
        { name: t('Last order'), value: <RelativeTime at={figures.last_order_at} /> },
        { name: t('Customer since'), value: dayOf(figures.first_order_at ?? customer.created_at) },
      ]}
      details={[
        ...(figures.returned_items > 0
          ? [
              {
                name: t('Returned items'),
                value: `${number(figures.returned_items)} · ${percent(figures.returned_items / Math.max(1, figures.shipped_items))}`,
              },
            ]
          : []),
        ...(figures.cancelled > 0 ? [{ name: t('Cancelled orders'), value: number(figures.cancelled) }] : []),
        ...(customer.parcel_shop ? [{ name: t('Last parcel shop'), value: customer.parcel_shop }] : []),
        {
          name: t('Tags'),
          value: <EditableTags object="customer" id={customer.customer_id} names={customer.tags} refreshes={refreshes} />,
        },
        {
          name: t('Language'),
          value: isOneOf(locales, customer.locale) ? localeNames[customer.locale] : t('As on the order'),
        },
        ...(customer.companies.length > 1
          ? [
              {
                name: t('Known by'),
                value: customer.companies.map(one => (
                  <div key={one.company_id}>{`${companyName(one.company_id)}: ${one.name} · ${number(one.order_count)}`}</div>
                )),
              },
            ]
          : []),
      ]}
      side={
        <>
          <Contacts customer={customer} />
          <Notes customer={customer} />
        </>
      }
    >
      {customer.suggestions.length > 0 ? <Doubles customer={customer} merge={manages ? setMerging : null} open={open} /> : null}
      {customer.merges.length > 0 ? <Merges customer={customer} mayUndo={manages} /> : null}
      <Orders customer={customer} />
      <Suspense fallback={null}>
        <CustomerReturns customer_id={customer.customer_id} />
      </Suspense>
      {readsMessages ? (
        <Suspense fallback={null}>
          <CustomerMessages customer_id={customer.customer_id} place={5} />
        </Suspense>
      ) : null}
      {manages ? <Requests customer={customer} /> : null}
      {manages ? <Accesses customer={customer} /> : null}
      <Drawer opened={editing} onClose={() => setEditing(false)} title={t('Edit customer')}>
        {editing ? (
          <CustomerForm key={customer.version} customer={customer} cancel={() => setEditing(false)} done={() => setEditing(false)} />
        ) : null}
      </Drawer>
      {merging === null ? null : <MergeDialog root_id={customer.customer_id} member_id={merging} close={() => setMerging(null)} />}
      {erasing ? <EraseDialog customer={customer} close={() => setErasing(false)} /> : null}
    </DetailPage>
  )
}

const isOver = (note: CustomerNote): boolean => note.until !== null && note.until < new Date().toISOString().slice(0, 10)

const Row = ({ children }: { children: ReactNode }) => <div className={style.row}>{children}</div>

/** What new orders recognize the customer by. */
function Contacts({ customer }: Own) {
  const t = useT()
  const companyName = useCompanyName()
  const { init } = useSignedIn()
  const [adding, setAdding] = useState(false)
  const [type, setType] = useState<CheckType>('phone')
  const [value, setValue] = useState('')
  const [wrong, setWrong] = useState<string | null>(null)
  const add = useSend(customers.addLookup, {
    refreshes,
    quiet: true,
    done: () => {
      setAdding(false)
      setValue('')
    },
  })
  const remove = useSend(customers.removeLookup, { refreshes })
  const askRemove = async (one: Customer['lookups'][number]) => {
    const sure = await confirm({
      title: t('Remove {{value}}?', { value: shownLookup(one.check_type, one.check_value) }),
      body: t('New orders are no longer recognized by it.'),
      action: t('Remove'),
      danger: true,
    })
    if (sure) remove.mutate({ id: one.id })
  }
  const many = init.CompanyLookup.length > 1
  const fault = wrong ?? (add.error ? (add.error.fields.check_value ?? add.error.message) : null)
  return (
    <Panel
      title={t('Contact')}
      flush
      place={2}
      actions={
        adding ? null : (
          <Button size="compact-sm" variant="default" onClick={() => setAdding(true)}>
            {t('Add contact')}
          </Button>
        )
      }
    >
      {customer.lookups.map(one => (
        <Row key={one.id}>
          <div className={style.line}>
            <div className={style.grow}>
              <div className={style.by}>{checkTypeWord(one.check_type)}</div>
              <div className={style.text}>
                {one.check_type === 'phone' ? (
                  <a href={`tel:${one.check_value}`}>{one.check_value}</a>
                ) : (
                  shownLookup(one.check_type, one.check_value)
                )}
              </div>
              {many ? <div className={style.by}>{one.company_ids.map(companyName).join(', ')}</div> : null}
            </div>
            <CopyButton text={shownLookup(one.check_type, one.check_value)} />
            <ActionIcon
              variant="subtle"
              aria-label={t('Remove {{value}}', { value: shownLookup(one.check_type, one.check_value) })}
              onClick={() => void askRemove(one)}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </div>
        </Row>
      ))}
      {adding ? (
        <form
          className={style.row}
          onSubmit={event => {
            event.preventDefault()
            if (value.trim() === '') setWrong(t('Enter an e-mail address, a phone number or a shop number'))
            else add.mutate({ id: customer.customer_id, body: { check_type: type, check_value: value } })
          }}
        >
          <Stack gap="xs">
            <NativeSelect
              label={t('Kind')}
              value={type}
              data={checkTypes.map(one => ({ value: one, label: checkTypeWord(one) }))}
              onChange={event => {
                const chosen = event.currentTarget.value
                if (isOneOf(checkTypes, chosen)) setType(chosen)
              }}
            />
            <TextInput
              label={checkTypeWord(type)}
              value={value}
              maxLength={254}
              data-autofocus
              autoComplete="off"
              error={fault ? t(fault, add.error?.values) : undefined}
              onChange={event => {
                setWrong(null)
                add.reset()
                setValue(event.currentTarget.value)
              }}
            />
            <Group justify="flex-end" gap="xs">
              <Button variant="default" size="compact-md" onClick={() => setAdding(false)}>
                {t('Cancel')}
              </Button>
              <Button type="submit" size="compact-md" loading={add.isPending}>
                {t('Add contact')}
              </Button>
            </Group>
          </Stack>
        </form>
      ) : null}
    </Panel>
  )
}

function Notes({ customer }: Own) {
  const t = useT()
  const companyName = useCompanyName()
  const { init } = useSignedIn()
  const [note, setNote] = useState('')
  const [type, setType] = useState<NoteType>('info')
  const [atStation, setAtStation] = useState(false)
  const [until, setUntil] = useState('')
  const add = useSend(customers.addNote, {
    refreshes,
    said: t('Note added'),
    done: () => {
      setNote('')
      setType('info')
      setAtStation(false)
      setUntil('')
    },
  })
  const remove = useSend(customers.removeNote, { refreshes, said: t('Note removed') })
  const askRemove = async (one: CustomerNote) => {
    const sure = await confirm({
      title: t('Remove this note?'),
      body: one.note.slice(0, 200),
      action: t('Remove note'),
      danger: true,
    })
    if (sure) remove.mutate({ id: one.id })
  }
  const many = init.CompanyLookup.length > 1
  return (
    <Panel title={t('Notes')} count={customer.notes.length || null} flush place={3}>
      {customer.notes.map(one => (
        <Row key={one.id}>
          <div className={style.head}>
            <NoteBadge type={one.type} />
            <ActionIcon variant="subtle" aria-label={t('Remove note')} onClick={() => void askRemove(one)}>
              <IconTrash size={16} />
            </ActionIcon>
          </div>
          <div className={style.text}>{one.note}</div>
          <div className={style.by}>
            {one.actor}, <RelativeTime at={one.created_at} />
            {many ? ` · ${companyName(one.company_id)}` : ''}
            {one.at_station ? ` · ${t('Shown at the station')}` : ''}
            {one.until === null
              ? ''
              : ` · ${isOver(one) ? t('Ended {{day}}', { day: dayOf(one.until) }) : t('Until {{day}}', { day: dayOf(one.until) })}`}
          </div>
        </Row>
      ))}
      <form
        className={style.row}
        onSubmit={event => {
          event.preventDefault()
          if (note.trim() !== '')
            add.mutate({
              id: customer.customer_id,
              body: { type, note, at_station: atStation, until: until || null, client_id: crypto.randomUUID() },
            })
        }}
      >
        <Stack gap="xs">
          <Textarea
            aria-label={t('New note')}
            placeholder={t('Note for colleagues')}
            autosize
            minRows={1}
            maxRows={8}
            maxLength={limits.note}
            value={note}
            onChange={event => setNote(event.currentTarget.value)}
          />
          {note === '' ? null : (
            <>
              <SegmentedControl
                size="xs"
                aria-label={t('Kind of note')}
                value={type}
                onChange={setType}
                data={noteTypes.map(value => ({ value, label: noteWord(value) }))}
              />
              <Checkbox
                label={t('Show at the station')}
                description={t('The packer reads a warning before packing.')}
                checked={atStation}
                onChange={event => setAtStation(event.currentTarget.checked)}
              />
              <TextInput
                type="date"
                label={t('Show until (optional)')}
                value={until}
                onChange={event => setUntil(event.currentTarget.value)}
              />
              <Group justify="flex-end">
                <Button type="submit" size="compact-md" loading={add.isPending}>
                  {t('Add note')}
                </Button>
              </Group>
            </>
          )}
        </Stack>
      </form>
    </Panel>
  )
}

/** Who may be the same person: a person decides. */
function Doubles({ customer, merge, open }: Own & { merge: ((id: number) => void) | null; open: (id: number) => void }) {
  const t = useT()
  const dismiss = useSend(customers.dismiss, { refreshes, said: t('They are not suggested again') })
  return (
    <Panel title={t('Possible duplicates')} count={customer.suggestions.length} flush place={1}>
      {customer.suggestions.map(one => (
        <Row key={one.customer_id}>
          <div className={style.line}>
            <div className={style.grow}>
              <Link to="/parcels/customers" search={{ id: one.customer_id }}>
                {one.name || t('Without a name')}
              </Link>
              <div className={style.by}>
                {[one.email, one.phone, t('{{count}} orders', { count: one.order_count }), reasonWord(one.reason)]
                  .filter(Boolean)
                  .join(' · ')}
              </div>
            </div>
            {merge ? (
              <Group gap="xs" wrap="nowrap">
                <Button
                  size="compact-sm"
                  variant="default"
                  loading={dismiss.isPending}
                  onClick={() => dismiss.mutate({ body: { root_id: customer.customer_id, member_id: one.customer_id } })}
                >
                  {t('Not the same')}
                </Button>
                <Button size="compact-sm" onClick={() => merge(one.customer_id)}>
                  {t('Merge…')}
                </Button>
              </Group>
            ) : (
              <Button size="compact-sm" variant="default" onClick={() => open(one.customer_id)}>
                {t('Open customer')}
              </Button>
            )}
          </div>
        </Row>
      ))}
    </Panel>
  )
}

function Merges({ customer, mayUndo }: Own & { mayUndo: boolean }) {
  const t = useT()
  const undo = useSend(customers.undoMerge, { refreshes: [...refreshes, customerPage.orders], said: t('The merge is undone') })
  return (
    <Panel title={t('Merged customers')} count={customer.merges.length} flush place={7}>
      {customer.merges.map(one => (
        <Row key={one.id}>
          <div className={style.line}>
            <div className={style.grow}>
              <div>{one.name || t('Without a name')}</div>
              <div className={style.by}>
                {one.actor}, <RelativeTime at={one.created_at} />
              </div>
            </div>
            {mayUndo ? (
              <Button size="compact-sm" variant="default" loading={undo.isPending} onClick={() => undo.mutate({ id: one.id })}>
                {t('Undo merge')}
              </Button>
            ) : null}
          </div>
        </Row>
      ))}
    </Panel>
  )
}

const ordersAtOnce = 10

function Orders({ customer }: Own) {
  const t = useT()
  const companyName = useCompanyName()
  const seesOrders = useIsOffered('/parcels/orders')
  const { user, init } = useSignedIn()
  const everywhere = user.is_main_company && init.CompanyLookup.length > 1
  const [own, setOwn] = useState(!everywhere)
  const [page, setPage] = useState(1)
  const orders = useCall(
    customerPage.orders,
    { id: customer.customer_id, page, limit: ordersAtOnce, ...(own ? {} : { all_companies: true }) },
    { keep: true, live: ['order', 'shipment'] },
  )
  return (
    <Panel
      title={t('Orders')}
      count={orders.data?.total || null}
      flush
      place={4}
      actions={
        everywhere ? (
          <Switch
            size="sm"
            label={t('All companies')}
            checked={!own}
            onChange={event => {
              setOwn(!event.currentTarget.checked)
              setPage(1)
            }}
          />
        ) : null
      }
    >
      <QueryState of={orders}>
        {answer => (
          <>
            {answer.rows.length === 0 ? (
              <div className={style.row}>
                <Text c="dimmed">{t('No orders')}</Text>
              </div>
            ) : null}
            {answer.rows.map(order => (
              <Row key={order.id}>
                <div className={style.line}>
                  <div className={style.grow}>
                    <Group gap="sm">
                      {seesOrders ? (
                        <Link to="/parcels/orders" search={{ id: order.id }}>
                          {order.order_no}
                        </Link>
                      ) : (
                        <span>{order.order_no}</span>
                      )}
                      <PhaseBadge phase={order.phase} />
                    </Group>
                    <div className={style.by}>
                      {[
                        dayOf(order.ordered_at),
                        t('{{count}} items', { count: order.item_count }),
                        order.total_incl_vat === null ? null : money(order.total_incl_vat, order.currency),
                        [order.city, order.ship_country].filter(Boolean).join(' '),
                        own ? null : companyName(order.company_id),
                      ]
                        .filter(Boolean)
                        .join(' · ')}
                    </div>
                    {order.parcels.map(parcel => (
                      <Group key={parcel.shipment_id} gap="sm">
                        <ShipmentBadge state={parcel.state} />
                        {parcel.operation_code === 'return' ? <StateBadge tone="soon">{t('Return label')}</StateBadge> : null}
                        <span className={style.by}>{parcel.tracking_no ?? t('No number yet')}</span>
                      </Group>
                    ))}
                  </div>
                </div>
              </Row>
            ))}
            <Pager byTime page={page} pages={Math.ceil(answer.total / ordersAtOnce)} turn={setPage} />
          </>
        )}
      </QueryState>
    </Panel>
  )
}

/** Copies and erasures that were asked for; jobs carry them out. */
function Requests({ customer }: Own) {
  const t = useT()
  const requests = useCall(customerPage.requests, { id: customer.customer_id, limit: 10 }, { every: 5_000 })
  if (!requests.data || requests.data.rows.length === 0) return null
  const words = { waiting: t('Waits for open orders'), running: t('Running'), done: t('Done'), failed: t('Failed') }
  const tones = { waiting: 'soon', running: 'busy', done: 'done', failed: 'stop' } as const
  const save = async (id: number) => {
    try {
      saveFile(await send(customerPage.file, { id }))
    } catch (error) {
      toastError(error)
    }
  }
  return (
    <Panel title={t('Personal data')} flush place={8}>
      {requests.data.rows.map(one => (
        <Row key={one.id}>
          <div className={style.line}>
            <div className={style.grow}>
              <Group gap="sm">
                <span>{one.kind === 'erase' ? t('Erasure') : t('Data copy')}</span>
                <StateBadge tone={tones[one.state]}>{words[one.state]}</StateBadge>
              </Group>
              <div className={style.by}>
                {one.requested_by ?? ''} <RelativeTime at={one.created_at} />
              </div>
            </div>
            {one.has_file ? (
              <Button size="compact-sm" variant="default" leftSection={<IconDownload size={16} />} onClick={() => void save(one.id)}>
                {t('Save copy')}
              </Button>
            ) : null}
          </div>
        </Row>
      ))}
    </Panel>
  )
}

function Accesses({ customer }: Own) {
  const t = useT()
  const [page, setPage] = useState(1)
  const log = useCall(customers.accessLog, { id: customer.customer_id, page, limit: ordersAtOnce }, { keep: true, fresh: 0 })
  const words: Record<string, string> = {
    'customer/get': t('Opened'),
    'customer/export': t('Copied all data'),
    'customer/delete': t('Asked for erasure'),
  }
  return (
    <Panel title={t('Who looked')} count={log.data?.total || null} flush place={9}>
      <QueryState of={log}>
        {answer => (
          <>
            {answer.rows.map(one => (
              <Row key={`${one.at} ${one.user_name} ${one.what}`}>
                <div className={style.line}>
                  <span className={style.grow}>{one.user_name}</span>
                  <span className={style.by}>
                    {words[one.what] ?? one.what} <RelativeTime at={one.at} />
                  </span>
                </div>
              </Row>
            ))}
            <Pager byTime page={page} pages={Math.ceil(answer.total / ordersAtOnce)} turn={setPage} />
          </>
        )}
      </QueryState>
    </Panel>
  )
}
