/** Sets and removes tags: of one object at once, of several with a button. */
import { ActionIcon, Button, Group, MultiSelect, Popover, Stack, Text } from '@mantine/core'
import { IconPencil, IconTag } from '@tabler/icons-react'
import { useState } from 'react'
import type { Call } from '#contract/endpoint.ts'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { Link } from '#ui/kit/Link.tsx'
import { toastSuccess, toastWithUndo } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { send, useCommand } from '#ui/query/calls.ts'
import { useIsAllowed } from '#ui/query/session.ts'
import { namesOfTags, TagChips, useTagNames } from './TagChips.tsx'
import { mostNamed, mostTagged, type TagObject } from './tags.codes.ts'
import { tagEditors, tags } from './tags.contract.ts'

interface Change {
  add: string[]
  remove: string[]
}
const same = (one: string) => (other: string) => one.toLowerCase() === other.toLowerCase()

/** The tags of one order, product or customer, with a button that changes them. */
export function EditableTags({
  object,
  id,
  names,
  company_id,
  refreshes,
}: {
  object: TagObject
  id: number
  names: readonly string[]
  company_id?: number
  refreshes: readonly Call[]
}) {
  const t = useT()
  const options = namesOfTags(useTagNames())
  const set = useCommand((change: Change) => send(tags.apply, { body: { object, ids: [id], ...change } }), { refreshes: [...refreshes] })
  // Words of a shop that are no tags stay as they are.
  const chosen = options.filter(option => names.some(same(option)))
  const choose = (next: string[]) =>
    set.mutate({
      add: next.filter(name => !chosen.some(same(name))),
      remove: chosen.filter(name => !next.some(same(name))),
    })
  return (
    <Group gap="xs" wrap="nowrap" align="start">
      {names.length > 0 ? (
        <TagChips names={names} {...(company_id !== undefined && { company_id })} />
      ) : (
        <Text component="span" c="dimmed">
          {t('None')}
        </Text>
      )}
      <Popover width={300} position="bottom-end" trapFocus withinPortal>
        <Popover.Target>
          <ActionIcon variant="subtle" color="gray" size="sm" aria-label={t('Edit tags')}>
            <IconPencil size={16} />
          </ActionIcon>
        </Popover.Target>
        <Popover.Dropdown>
          {options.length === 0 ? (
            <NoTags />
          ) : (
            <MultiSelect
              label={t('Tags')}
              data={options}
              value={chosen}
              onChange={choose}
              maxValues={mostNamed}
              searchable
              disabled={set.isPending}
              comboboxProps={{ withinPortal: false }}
              data-autofocus
            />
          )}
        </Popover.Dropdown>
      </Popover>
    </Group>
  )
}

/** What an empty list of tags says, to whom may add one and to whom may not. */
export function NoTags() {
  const t = useT()
  const mayAdd = useIsAllowed(tagEditors)
  return (
    <Text size="sm">
      {t('No tags yet.')} {mayAdd ? <Link to="/settings/tags">{t('Add tags')}</Link> : t('Ask a lead to add some.')}
    </Text>
  )
}

/** Tags several rows of a list. */
export function TagButton({
  object,
  ids,
  refreshes,
  done,
}: {
  object: TagObject
  ids: readonly number[]
  refreshes: readonly Call[]
  done: () => void
}) {
  const t = useT()
  const [opened, setOpened] = useState(false)
  const [change, setChange] = useState<Change>({ add: [], remove: [] })
  const options = namesOfTags(useTagNames())
  const some = ids.slice(0, mostTagged)
  const run = (body: Change) => send(tags.apply, { body: { object, ids: [...some], ...body } })
  const undo = useCommand(run, { refreshes: [...refreshes], said: t('The change is undone') })
  const set = useCommand(run, {
    refreshes: [...refreshes],
    done: ({ changed }, did) => {
      setOpened(false)
      setChange({ add: [], remove: [] })
      done()
      const said = t('Tags of {{count}} rows changed', { count: changed })
      // What had the tag before must keep it: only where all were changed is the opposite an undo.
      if (changed === some.length && did.add.length + did.remove.length === 1)
        toastWithUndo(said, () => undo.mutate({ add: did.remove, remove: did.add }))
      else toastSuccess(said)
    },
  })
  return (
    <Popover width={320} position="top-end" trapFocus opened={opened} onChange={setOpened}>
      <Popover.Target>
        <Button size="compact-md" variant="default" leftSection={<IconTag size={16} />} onClick={() => setOpened(!opened)}>
          {t('Tag')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        {options.length === 0 ? (
          <NoTags />
        ) : (
          <Stack>
            <TagChange options={options} change={change} set={setChange} />
            <Group justify="flex-end">
              <Button
                {...disabledBecause(change.add.length + change.remove.length === 0 && t('Nothing has been changed yet'))}
                loading={set.isPending}
                onClick={() => set.mutate(change)}
              >
                {t('Change tags')}
              </Button>
            </Group>
          </Stack>
        )}
      </Popover.Dropdown>
    </Popover>
  )
}

/** Which tags are set and which are removed. */
export function TagChange({ options, change, set }: { options: readonly string[]; change: Change; set: (change: Change) => void }) {
  const t = useT()
  return (
    <>
      <MultiSelect
        label={t('Set tags')}
        data={options.filter(name => !change.remove.includes(name))}
        value={change.add}
        onChange={add => set({ ...change, add })}
        maxValues={mostNamed}
        searchable
        comboboxProps={{ withinPortal: false }}
        data-autofocus
      />
      <MultiSelect
        label={t('Remove tags')}
        data={options.filter(name => !change.add.includes(name))}
        value={change.remove}
        onChange={remove => set({ ...change, remove })}
        maxValues={mostNamed}
        searchable
        comboboxProps={{ withinPortal: false }}
      />
    </>
  )
}
