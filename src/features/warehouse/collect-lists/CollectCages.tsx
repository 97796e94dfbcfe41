/** Cages: which parcels wait in them, when the courier comes, and on which days. */

import { Alert, Button, Checkbox, Group, MultiSelect, NativeSelect, Switch, Text, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { labels } from '#features/shipping/labels/labels.contract.ts'
import { colourInk } from '#features/warehouse/pick-lists/slot-colors.rules.ts'
import { confirm } from '#ui/kit/Confirm.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { Form, useEdit } from '#ui/kit/Form.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { useLocale, useT } from '#ui/kit/translate.ts'
import { send, useCall, useSend } from '#ui/query/calls.ts'
import { useSignedIn } from '#ui/query/session.ts'
import style from './Collect.module.css'
import { CageMark, cageTime, colourWord } from './collect-list.labels.tsx'
import { cageColours } from './collect-lists.codes.ts'
import { collectListsOwn } from './collect-lists.contract.ts'
import { Cage, CageFields } from './collect-lists.schemas.ts'

const keyOf = (cage: Cage) => (cage.id === null ? `${cage.agent_code}/${cage.name}` : String(cage.id))

export function CollectCages() {
  const cages = useCall(collectListsOwn.cages, {})
  return (
    <QueryState of={cages} shape="form">
      {answer => <Cages cages={answer} />}
    </QueryState>
  )
}

function Cages({ cages }: { cages: readonly Cage[] }) {
  const t = useT()
  const [chosen, choose] = useState<string>(() => (cages[0] ? keyOf(cages[0]) : 'new'))
  const cage = cages.find(one => keyOf(one) === chosen)
  return (
    <div className={style.settings}>
      <nav className={style.cageList} aria-label={t('Cages')}>
        {cages.map(one => (
          <button
            key={keyOf(one)}
            type="button"
            className={style.cageRow}
            aria-current={keyOf(one) === chosen}
            onClick={() => choose(keyOf(one))}
          >
            <CageMark name={one.name} colour={one.colour} />
            <span className={style.dim}>
              {[
                one.name === one.agent ? '' : t(one.agent),
                cageTime(one) ?? '',
                one.active ? '' : t('not used'),
                one.id === null ? t('by itself') : '',
              ]
                .filter(Boolean)
                .join(' · ')}
            </span>
          </button>
        ))}
        <Button variant="default" leftSection={<IconPlus size={16} />} onClick={() => choose('new')}>
          {t('New cage')}
        </Button>
      </nav>
      <CageForm
        key={cage ? `${keyOf(cage)} ${cage.version}` : 'new'}
        cage={cage ?? null}
        saved={answer => choose(keyOf(answer))}
        gone={() => choose('new')}
      />
    </div>
  )
}

type Fields = Omit<CageFields, 'mark' | 'cut_off'> & { mark: string; cut_off: string }
const fieldsOf = (cage: Cage | null, agent_code: string): Fields =>
  cage
    ? {
        agent_code: cage.agent_code,
        name: cage.name,
        mark: cage.mark ?? '',
        methods: cage.methods,
        colour: cage.colour,
        cut_off: cage.cut_off ?? '',
        days: cage.days,
        active: cage.active,
      }
    : { agent_code, name: '', mark: '', methods: [], colour: null, cut_off: '', days: [1, 2, 3, 4, 5], active: true }

/** What a form's empty text means. */
const bodyOf = ({ mark, cut_off, ...fields }: Fields) => ({ ...fields, mark: mark.trim() || null, cut_off: cut_off || null })

function CageForm({ cage, saved, gone }: { cage: Cage | null; saved: (cage: Cage) => void; gone: () => void }) {
  const t = useT()
  const locale = useLocale()
  const { init } = useSignedIn()
  const setup = useCall(labels.setup, {}, { fresh: 300_000 })
  const made = cage?.id ?? null
  const edit = useEdit({
    schema: CageFields.omit({ mark: true, cut_off: true }).loose(),
    initial: fieldsOf(cage, init.ParcelAgentCode[0]?.agent_code ?? 'own'),
    save: values =>
      made === null
        ? send(collectListsOwn.createCage, { body: bodyOf(values) })
        : send(collectListsOwn.updateCage, { id: made, body: { ...bodyOf(values), version: cage?.version ?? 0 } }),
    refreshes: [collectListsOwn.cages, collectListsOwn.overview],
    said: t('Cage saved'),
    done: saved,
    conflict: { schema: Cage, values: fresh => fieldsOf(fresh, '') },
  })
  const remove = useSend(collectListsOwn.removeCage, {
    refreshes: [collectListsOwn.cages, collectListsOwn.overview],
    said: t('Cage deleted'),
    done: gone,
  })
  const askToRemove = async () => {
    if (made === null || !cage) return
    const sure = await confirm({
      title: t('Delete the cage {{name}}?', { name: cage.name }),
      body: t('Its parcels go to another cage of the courier. Old lists keep its name.'),
      action: t('Delete cage'),
      danger: true,
    })
    if (sure) remove.mutate({ id: made })
  }
  const methods = setup.data?.find(one => one.agent_code === edit.values.agent_code)?.methods ?? []
  const dayName = new Intl.DateTimeFormat(locale.replace('_', '-'), { weekday: 'short', timeZone: 'UTC' })
  return (
    <Form
      edit={edit}
      action={cage ? t('Save cage') : t('Create cage')}
      beside={
        made !== null ? (
          <Button
            variant="subtle"
            color="brick"
            leftSection={<IconTrash size={16} />}
            loading={remove.isPending}
            onClick={() => void askToRemove()}
          >
            {t('Delete cage')}
          </Button>
        ) : undefined
      }
    >
      {cage && made === null ? (
        <Alert color="harbour" variant="light">
          {cage.rest
            ? t('This cage takes what no other cage of the courier takes. It is there automatically; save it to change it.')
            : t('This cage follows from the courier’s routes. Save it to change its name, colour or time.')}
        </Alert>
      ) : null}
      <NativeSelect
        label={t('Courier')}
        {...disabledBecause(cage !== null && t('A cage stays with its courier'))}
        data={init.ParcelAgentCode.map(agent => ({ value: agent.agent_code, label: t(agent.name) }))}
        {...edit.of('agent_code')}
      />
      <TextInput label={t('Name')} description={t('As it stands on the cage.')} {...edit.of('name')} />
      <TextInput
        label={t('Cage on the label')}
        description={t('Labels that name this cage go here. Empty: the name itself.')}
        {...edit.of('mark')}
      />
      <MultiSelect
        label={t('Shipping methods')}
        description={t('None: whatever no other cage takes.')}
        data={methods.map(method => ({ value: method.code, label: t(method.name) }))}
        clearable
        {...edit.of('methods')}
      />
      <fieldset className={style.colours}>
        <legend>{t('Colour')}</legend>
        <Group gap={8}>
          {[null, ...cageColours].map(colour => (
            <button
              key={colour ?? 'none'}
              type="button"
              className={style.colour}
              aria-pressed={edit.values.colour === colour}
              aria-label={colour ? colourWord(colour) : t('No colour')}
              title={colour ? colourWord(colour) : t('No colour')}
              onClick={() => edit.form.setFieldValue('colour', colour)}
            >
              <span style={colour ? { background: colourInk[colour] } : undefined} />
            </button>
          ))}
        </Group>
      </fieldset>
      <TextInput
        type="time"
        label={t('Pickup')}
        description={
          cage?.route_cut_off
            ? t('Empty: {{time}}, as the courier’s routes say.', { time: cage.route_cut_off })
            : t('Empty: no pickup time, no clock.')
        }
        {...edit.of('cut_off')}
      />
      <Checkbox.Group
        label={t('Pickup days')}
        value={edit.values.days.map(String)}
        onChange={days => edit.form.setFieldValue('days', days.map(Number).sort())}
        error={edit.form.errors.days}
      >
        <Group gap="sm" mt={4}>
          {[1, 2, 3, 4, 5, 6, 7].map(day => (
            // The first of January 2024 was a Monday.
            <Checkbox key={day} value={String(day)} label={dayName.format(Date.UTC(2024, 0, day))} />
          ))}
        </Group>
      </Checkbox.Group>
      <Switch label={t('In use')} {...edit.of('active', 'checkbox')} />
      {made === null && !cage ? (
        <Text size="sm" c="dimmed">
          {t(
            'A courier’s parcels go to the cage that their label names, else to the cage for their method, else to the one without methods.',
          )}
        </Text>
      ) : null}
    </Form>
  )
}
