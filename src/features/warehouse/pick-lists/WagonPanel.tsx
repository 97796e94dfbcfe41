/** One wagon of a list: where it stands, its slots as they stand on the wagon, and its walk line by line. */

import { ActionIcon, Alert, Button, Menu, Table, Text } from '@mantine/core'
import { IconChevronDown, IconChevronRight, IconDotsVertical, IconDownload, IconMap2, IconRecycle, IconUserOff } from '@tabler/icons-react'
import { products } from '#features/catalog/products/products.contract.ts'
import { paperless } from '#features/warehouse/paperless/paperless.contract.ts'
import { wagonRoutes } from '#features/warehouse/wagon-routes/wagon-routes.contract.ts'
import { confirm } from '#ui/kit/Confirm.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { number, weight } from '#ui/kit/format.ts'
import { ImageView } from '#ui/kit/ImageView.tsx'
import { Link } from '#ui/kit/Link.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { StateBadge, type Tone } from '#ui/kit/StateBadge.tsx'
import { toastInfo } from '#ui/kit/toasts.ts'
import { useLocale, useT } from '#ui/kit/translate.ts'
import { saveFile, useCall, useSend } from '#ui/query/calls.ts'
import { useIsAllowed } from '#ui/query/session.ts'
import style from './PickLists.module.css'
import { colourWord, Done, emptyToteAdvice, metresWord, SlotNumber, shortSentence, slotWord, WagonBadge } from './pick-list.labels.tsx'
import { pickLists } from './pick-lists.contract.ts'
import { isAllShort } from './pick-lists.rules.ts'
import type { LineState, PickList, PickSlot, PickWagon, SeenWagon } from './pick-lists.schemas.ts'

export function WagonPanel({ list, wagon, open, toggle }: { list: PickList; wagon: PickWagon; open: boolean; toggle: () => void }) {
  const t = useT()
  const locale = useLocale()
  const title = t('Wagon {{number}}', { number: wagon.wagon_no })
  const download = useSend(pickLists.download, { done: saveFile })
  const link = useSend(wagonRoutes.link, { done: ({ url }) => void window.open(url, '_blank', 'noreferrer') })
  const release = useSend(paperless.release, {
    refreshes: [pickLists.get],
    said: ({ freed }) => t('{{count}} codes are free again', { count: freed.length }),
    done: ({ open: still }) => {
      if (still.length === 0) return
      toastInfo(
        t('These stay with their orders: {{codes}}', {
          codes: still.map(one => `PP${one.digits} (${one.order_no})`).join(', '),
        }),
      )
    },
  })
  const mayTakeBack =
    useIsAllowed(pickLists.takeBack.access) && ['claimed', 'picking', 'paused'].includes(wagon.state) && wagon.user_name !== null
  const takeBack = useSend(pickLists.takeBack, {
    refreshes: [pickLists.get, pickLists.wagon],
    said: () => t('Wagon {{number}} is unassigned', { number: wagon.wagon_no }),
  })
  const askTakeBack = async () => {
    const sure = await confirm({
      title: t('Take over wagon {{number}} from {{name}}?', { number: wagon.wagon_no, name: wagon.user_name ?? '' }),
      body: t('Anyone can continue. Items already picked are kept.'),
      action: t('Take it back'),
    })
    if (sure) takeBack.mutate({ pick_list_id: list.id, wagon_no: wagon.wagon_no })
  }
  const coded = wagon.slots.some(slot => slot.codes.length > 0)
  return (
    <section className={style.wagon} aria-label={title}>
      <div className={style.wagonHead}>
        <ActionIcon
          variant="subtle"
          color="gray"
          onClick={toggle}
          aria-expanded={open}
          aria-label={open ? t('Close {{name}}', { name: title }) : t('Open {{name}}', { name: title })}
        >
          {open ? <IconChevronDown size={20} /> : <IconChevronRight size={16} />}
        </ActionIcon>
        <span className={style.wagonName}>{title}</span>
        <WagonBadge state={wagon.state} />
        {wagon.user_name ? <Text component="span">{wagon.user_name}</Text> : null}
        <span className={style.wagonProgress}>
          <Done done={wagon.lines_done} of={wagon.lines} />
        </span>
        <Text component="span" size="sm" c="dimmed">
          {t('{{count}} orders', { count: wagon.slots.filter(slot => slot.live || slot.state === 'packed').length })} ·{' '}
          {t('{{count}} stops', { count: wagon.stops })} · {metresWord(wagon.metres)} ·{' '}
          {t('{{number}} min', { number: number(wagon.minutes ?? 0) })}
        </Text>
        <div className={style.wagonTools}>
          {list.map_result_id !== null ? (
            <Button
              variant="default"
              size="compact-sm"
              leftSection={<IconMap2 size={16} />}
              loading={link.isPending}
              onClick={() => link.mutate({ id: list.id, wagon: wagon.wagon_no })}
            >
              {t('Route on the map')}
            </Button>
          ) : null}
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon variant="default" aria-label={t('More for {{name}}', { name: title })}>
                <IconDotsVertical size={16} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item
                leftSection={<IconDownload size={16} />}
                onClick={() => download.mutate({ id: list.id, wagon_no: wagon.wagon_no, pictures: false, locale })}
              >
                {t('Download this wagon')}
              </Menu.Item>
              {mayTakeBack ? (
                <Menu.Item leftSection={<IconUserOff size={16} />} onClick={() => void askTakeBack()}>
                  {t('Take over from {{name}}', { name: wagon.user_name ?? '' })}
                </Menu.Item>
              ) : null}
              <Menu.Item
                leftSection={<IconRecycle size={16} />}
                {...disabledBecause(!coded && t('This wagon has no codes'))}
                onClick={() => release.mutate({ x: list.id, y: wagon.wagon_no })}
              >
                {t('Release the codes of this wagon')}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </div>
      </div>
      {open ? (
        <div className={style.wagonBody}>
          <Slots list={list} wagon={wagon} />
          <Lines list_id={list.id} wagon_no={wagon.wagon_no} />
        </div>
      ) : null}
    </section>
  )
}

/** As they stand on the wagon, row by row; singles lie together and are listed by number. */
function Slots({ list, wagon }: { list: PickList; wagon: PickWagon }) {
  const { rows, columns } = list.wagon_type
  const placed = list.type === 'cluster'
  const bySlot = new Map(wagon.slots.map(slot => [slot.slot_no, slot]))
  const numbers = placed ? Array.from({ length: rows * columns }, (_, i) => i + 1) : wagon.slots.map(slot => slot.slot_no)
  const template = placed ? `repeat(${columns}, minmax(7.5rem, 1fr))` : 'repeat(auto-fill, minmax(10rem, 1fr))'
  return (
    <div className={style.narrow}>
      <div className={style.grid} style={{ gridTemplateColumns: template }}>
        {numbers.map(no => {
          const slot = bySlot.get(no)
          return slot ? (
            <Slot key={no} list={list} slot={slot} />
          ) : (
            <EmptySlot key={no} no={no} colour={list.wagon_type.slots[no - 1]?.colour ?? null} />
          )
        })}
      </div>
    </div>
  )
}

function EmptySlot({ no, colour }: { no: number; colour: PickSlot['colour'] }) {
  const t = useT()
  return (
    <div className={`${style.slot} ${style.slotEmpty}`}>
      <SlotNumber no={no} colour={colour} large />
      <span className={style.slotMore}>{t('Empty')}</span>
    </div>
  )
}

function Slot({ list, slot }: { list: PickList; slot: PickSlot }) {
  const t = useT()
  const mayTakeOff = useIsAllowed(pickLists.takeOff.access)
  const takeOff = useSend(pickLists.takeOff, {
    refreshes: [pickLists.get, pickLists.wagon, pickLists.available],
    said: ({ put_backs }) =>
      put_backs > 0
        ? t('Order {{order}} is off the list. {{count}} lines have to be put back.', { order: slot.order_no, count: put_backs })
        : t('Order {{order}} is off the list', { order: slot.order_no }),
  })
  const ask = async () => {
    const sure = await confirm({
      title: t('Take order {{order}} off the list?', { order: slot.order_no }),
      body: t('It is ready for another list. What was picked of it has to be put back.'),
      action: t('Take it off'),
      danger: true,
    })
    if (sure) takeOff.mutate({ id: list.id, order_id: slot.order_id })
  }
  const [tone, word] = stateOf(slot, t)
  return (
    <div className={slot.state === 'removed' ? `${style.slot} ${style.slotGone}` : style.slot}>
      <div className={style.slotTop}>
        <SlotNumber no={slot.slot_no} colour={slot.colour} large />
        {slot.live && mayTakeOff ? (
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon variant="subtle" color="gray" size="sm" aria-label={t('More for slot {{number}}', { number: slot.slot_no })}>
                <IconDotsVertical size={16} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={() => void ask()}>{t('Take this order off the list')}</Menu.Item>
            </Menu.Dropdown>
          </Menu>
        ) : null}
      </div>
      <Link to="/parcels/orders" search={{ id: slot.order_id }} className={style.slotOrder}>
        {slot.order_no}
      </Link>
      <span className={style.slotMore}>{slot.codes.length > 0 ? slot.codes.map(code => `PP${code.digits}`).join(', ') : slot.company}</span>
      <span className={style.slotMore}>
        {number(slot.lines_done)} / {number(slot.lines)} · {weight(slot.weight_g)}
      </span>
      {slot.crate === null ? null : <span className={style.slotMore}>{t('Box: {{box}}', { box: slot.crate })}</span>}
      {slot.additions.map(({ name, qty, bin }) => (
        <span key={name} className={style.slotMore}>
          {`+ ${qty} × ${name}${bin === null ? '' : ` (${bin})`}`}
        </span>
      ))}
      <span className={style.slotState}>
        <StateBadge tone={tone}>{word}</StateBadge>
      </span>
    </div>
  )
}

function stateOf(slot: PickSlot, t: ReturnType<typeof useT>): [Tone, string] {
  if (slot.cancelled) return ['stop', t('Cancelled')]
  if (slot.state === 'removed') return ['quiet', slotWord('removed')]
  if (slot.held) return ['soon', t('On hold')]
  if (slot.phase === 'short') return ['stop', t('Short')]
  return [slot.state === 'packed' ? 'done' : slot.state === 'picked' ? 'busy' : 'plain', slotWord(slot.state)]
}

function Lines({ list_id, wagon_no }: { list_id: number; wagon_no: number }) {
  const t = useT()
  const wagon = useCall(pickLists.wagon, { id: list_id, wagon_no }, { live: ['pick_list'], keep: true })
  return (
    <QueryState of={wagon} shape="rows">
      {answer => {
        const colours = new Map(answer.slots.map(slot => [slot.slot_no, slot.colour]))
        return (
          <div className={style.narrow}>
            <EmptyTotes wagon={answer} />
            <Table verticalSpacing={6} miw={640}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t('Bin')}</Table.Th>
                  <Table.Th ta="end">{t('Items')}</Table.Th>
                  <Table.Th colSpan={2}>{t('Product')}</Table.Th>
                  <Table.Th>{t('Slot')}</Table.Th>
                  <Table.Th>{t('Status')}</Table.Th>
                  <Table.Th>{t('Picker')}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {answer.pick_lines.map(line => (
                  <Table.Tr key={line.id}>
                    <Table.Td>
                      <strong>{line.bin ?? t('no bin')}</strong>
                    </Table.Td>
                    <Table.Td ta="end">
                      {number(line.picked)} / {number(line.asked)}
                    </Table.Td>
                    <Table.Td w={48}>
                      <ImageView
                        from={
                          line.has_picture && line.product_id !== null ? { call: products.picture, input: { id: line.product_id } } : null
                        }
                        sku={line.sku ?? line.name}
                        name={line.name}
                        size={36}
                        version={line.picture_version}
                      />
                    </Table.Td>
                    <Table.Td>
                      {line.name}
                      {line.variant ? `, ${line.variant}` : ''}
                      <Text size="sm" c="dimmed">
                        {line.sku}
                      </Text>
                    </Table.Td>
                    <Table.Td>
                      <SlotNumber no={line.slot_no} colour={colours.get(line.slot_no) ?? null} />
                      {colours.get(line.slot_no) ? <span className={style.slotMore}> {colourWord(colours.get(line.slot_no)!)}</span> : null}
                    </Table.Td>
                    <Table.Td>
                      <LineBadge state={line.state} />
                      {line.state === 'short' ? (
                        <Text size="sm" c="dimmed">
                          {shortSentence(line)}
                        </Text>
                      ) : null}
                    </Table.Td>
                    <Table.Td>{line.taken_by_name ?? ''}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </div>
        )
      }}
    </QueryState>
  )
}

/** Totes whose lines were all reported missing: they reach packing with nothing in them. */
function EmptyTotes({ wagon }: { wagon: SeenWagon }) {
  const t = useT()
  const empty = wagon.slots.flatMap(slot => {
    const lines = wagon.pick_lines.filter(line => line.slot_no === slot.slot_no && line.order_id === slot.order_id)
    return isAllShort(lines) ? [{ slot, lines: lines.filter(line => line.state === 'short') }] : []
  })
  if (empty.length === 0) return null
  return (
    <Alert color="amber" title={t('Totes with nothing in them')} mb="sm">
      {empty.map(({ slot, lines }) => (
        <div key={slot.slot_no}>
          <Text size="sm">
            <strong>{[t('Slot {{slot}}', { slot: slot.slot_no }), ...slot.codes.map(code => `PP${code.digits}`)].join(' · ')}</strong>{' '}
            {emptyToteAdvice(slot)}
          </Text>
          {lines.map(line => (
            <Text key={line.id} size="sm">
              {shortSentence(line)}
            </Text>
          ))}
        </div>
      ))}
    </Alert>
  )
}

const lineTones: Record<LineState, Tone> = { open: 'plain', skipped: 'soon', picked: 'done', short: 'stop', gone: 'quiet' }

function LineBadge({ state }: { state: LineState }) {
  const t = useT()
  const words: Record<LineState, string> = {
    open: t('To be picked'),
    skipped: t('Skipped'),
    picked: t('Picked'),
    short: t('Missing'),
    gone: t('Taken off'),
  }
  return <StateBadge tone={lineTones[state]}>{words[state]}</StateBadge>
}
