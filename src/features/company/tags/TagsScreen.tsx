/** The settings of tags: add, rename, recolour, merge, remove, and how many have each. */
import { Button, Group, Radio, Select, Stack, Text, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useMemo, useRef, useState } from 'react'
import { confirm } from '#ui/kit/Confirm.tsx'
import { type Column, DataTable } from '#ui/kit/DataTable.tsx'
import { Dialog } from '#ui/kit/Dialog.tsx'
import { Drawer } from '#ui/kit/Drawer.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { FilterBar } from '#ui/kit/FilterBar.tsx'
import { Form, useEdit } from '#ui/kit/Form.tsx'
import { number } from '#ui/kit/format.ts'
import { pageState } from '#ui/kit/list-state.ts'
import { Page } from '#ui/kit/Page.tsx'
import { RowCard, RowCardLine } from '#ui/kit/RowCard.tsx'
import { useT } from '#ui/kit/translate.ts'
import { urlNumber, urlText } from '#ui/kit/url-fields.ts'
import { useUrlState } from '#ui/kit/url-state.ts'
import { send, useCall, useSend } from '#ui/query/calls.ts'
import { TagDot } from './TagChips.tsx'
import { mostTags, type TagColor, tagColors, usesCountedTo } from './tags.codes.ts'
import { tags } from './tags.contract.ts'
import { Tag, TagFields } from './tags.schemas.ts'

const TagsUrl = { query: urlText(), page: urlNumber(1) }
const keyOf = (row: Tag) => row.id
const refreshes = [tags.list, tags.names]
const used = (n: number) => (n >= usesCountedTo ? `${number(n)}+` : number(n))

export function TagsScreen() {
  const t = useT()
  const [url, setUrl] = useUrlState(TagsUrl)
  const [open, setOpen] = useState<Tag | 'new' | null>(null)
  const [merging, setMerging] = useState<Tag | null>(null)
  const list = pageState(useCall(tags.list, { query: url.query, page: url.page, limit: 50 }, { live: ['tag'], keep: true }), {
    page: url.page,
    limit: 50,
  })
  const remove = useSend(tags.remove, { refreshes, said: t('Tag removed'), done: () => setOpen(null) })
  const askRemove = async (row: Tag) => {
    const sure = await confirm({
      title: t('Remove tag {{name}}?', { name: row.name }),
      body: t('It is removed from {{orders}} orders, {{products}} products and {{customers}} customers.', {
        orders: used(row.orders),
        products: used(row.products),
        customers: used(row.customers),
      }),
      action: t('Remove tag'),
      danger: true,
    })
    if (sure) remove.mutate({ id: row.id })
  }
  const columns = useMemo<Column<Tag>[]>(
    () => [
      { key: 'name', title: t('Tag'), flex: 2, cell: row => <TagDot name={row.name} color={row.color} /> },
      { key: 'orders', title: t('Orders'), align: 'end', cell: row => used(row.orders) },
      { key: 'products', title: t('Products'), align: 'end', cell: row => used(row.products) },
      { key: 'customers', title: t('Customers'), align: 'end', cell: row => used(row.customers) },
    ],
    [t],
  )
  return (
    <Page
      title={t('Tags')}
      fill
      actions={
        <Button leftSection={<IconPlus size={16} />} onClick={() => setOpen('new')}>
          {t('Add tag')}
        </Button>
      }
    >
      <DataTable
        name="tags"
        label={t('Tags')}
        columns={columns}
        list={list}
        keyOf={keyOf}
        open={setOpen}
        onPage={page => setUrl({ page })}
        toolbar={
          <FilterBar
            name="tags"
            search={{ value: url.query, set: query => setUrl({ query, page: 1 }, { replace: true }), label: t('Search tags') }}
          />
        }
        filtered={url.query !== ''}
        clearFilters={() => setUrl({ query: '' })}
        rowActions={row => [
          { label: t('Edit'), run: () => setOpen(row) },
          { label: t('Merge into another tag'), run: () => setMerging(row) },
          { label: t('Remove tag'), danger: true, run: () => void askRemove(row) },
        ]}
        empty={
          <EmptyList title={t('No tags yet')} action={<Button onClick={() => setOpen('new')}>{t('Add tag')}</Button>}>
            {t('Orders on which the shop wrote the same word get the tag at once.')}
          </EmptyList>
        }
        card={row => (
          <RowCard>
            <RowCardLine>
              <TagDot name={row.name} color={row.color} />
              <span>{t('{{count}} orders', { count: row.orders })}</span>
            </RowCardLine>
          </RowCard>
        )}
      />
      <Drawer opened={open !== null} onClose={() => setOpen(null)} title={open === 'new' ? t('New tag') : t('Tag')}>
        {open ? (
          <TagForm
            key={open === 'new' ? 0 : open.id}
            tag={open === 'new' ? null : open}
            close={() => setOpen(null)}
            remove={row => void askRemove(row)}
          />
        ) : null}
      </Drawer>
      {merging ? <MergeDialog tag={merging} close={() => setMerging(null)} /> : null}
    </Page>
  )
}

interface Values extends Record<string, unknown> {
  name: string
  color: TagColor
}
const valuesOf = (tag: Tag | null): Values => ({ name: tag?.name ?? '', color: tag?.color ?? 'c1' })

function TagForm({ tag, close, remove }: { tag: Tag | null; close: () => void; remove: (tag: Tag) => void }) {
  const t = useT()
  const version = useRef(tag?.version ?? 0)
  const [client_id] = useState(() => crypto.randomUUID())
  const edit = useEdit({
    schema: TagFields,
    initial: valuesOf(tag),
    save: values =>
      tag
        ? send(tags.update, { id: tag.id, body: { ...values, version: version.current } })
        : send(tags.create, { body: { ...values, client_id } }),
    refreshes,
    said: t('Tag saved'),
    ...(tag && {
      undo: (answer: Tag, before: Values) => send(tags.update, { id: tag.id, body: { ...before, version: answer.version } }),
    }),
    done: close,
    conflict: {
      schema: Tag,
      values: fresh => {
        version.current = fresh.version
        return valuesOf(fresh)
      },
    },
  })
  return (
    <Form edit={edit} cancel={close}>
      <TextInput label={t('Name')} data-autofocus {...edit.of('name')} />
      <Radio.Group
        label={t('Colour')}
        value={edit.values.color}
        onChange={color => edit.form.setFieldValue('color', tagColors.find(one => one === color) ?? 'c1')}
      >
        <Group mt="xs" gap="lg">
          {tagColors.map((color, at) => (
            <Radio key={color} value={color} label={<TagDot color={color} name={String(at + 1)} />} />
          ))}
        </Group>
      </Radio.Group>
      {tag ? (
        <Group>
          <Button variant="subtle" color="brick" onClick={() => remove(tag)}>
            {t('Remove tag')}
          </Button>
        </Group>
      ) : null}
    </Form>
  )
}

function MergeDialog({ tag, close }: { tag: Tag; close: () => void }) {
  const t = useT()
  const [into, setInto] = useState<string | null>(null)
  const all = useCall(tags.list, { limit: mostTags })
  const merge = useSend(tags.merge, { refreshes, said: t('Tags merged'), done: close })
  const others = (all.data?.rows ?? []).filter(one => one.id !== tag.id)
  return (
    <Dialog opened onClose={close} title={t('Merge tag {{name}}', { name: tag.name })}>
      <Stack>
        <Text>
          {t('{{orders}} orders, {{products}} products and {{customers}} customers get the other tag. This cannot be undone.', {
            orders: used(tag.orders),
            products: used(tag.products),
            customers: used(tag.customers),
          })}
        </Text>
        <Select
          label={t('Other tag')}
          data={others.map(one => ({ value: String(one.id), label: one.name }))}
          value={into}
          onChange={setInto}
          searchable
          data-autofocus
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {t('Cancel')}
          </Button>
          <Button
            {...disabledBecause(into === null && t('Select one from the list first'))}
            loading={merge.isPending}
            onClick={() => merge.mutate({ id: tag.id, body: { into: Number(into) } })}
          >
            {t('Merge tags')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
