/** Input of what a group allows its members at packing stations, and at which of them. */
import { Checkbox, Input, SimpleGrid, Stack, Switch, TagsInput, Text } from '@mantine/core'
import { access, isAllowed } from '#contract/access.ts'
import { limits } from '#contract/limits.ts'
import { holdsActAt, type StationAct, stationActs } from '#contract/station-acts.ts'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { useT } from '#ui/kit/translate.ts'
import { useSignedIn } from '#ui/query/session.ts'
import { stationActWords } from './station-acts.labels.ts'

export interface GroupActs {
  acts: readonly StationAct[]
  /** None means every station. */
  stations: readonly string[] | null
}

interface StationActsInputProps {
  value: GroupActs
  onChange: (value: GroupActs) => void
  /** What the group allows now: it may stay although the editor could not give it. */
  before: GroupActs
  /** Names of stations to choose from. */
  known: readonly string[]
}

export function StationActsInput({ value, onChange, before, known }: StationActsInputProps) {
  const t = useT()
  const { permissions, user } = useSignedIn()
  const canGive = (act: StationAct) =>
    isAllowed(permissions, access.scanAdmin) || holdsActAt(user.acts ?? [], act, null) || before.acts.includes(act)
  return (
    <Input.Wrapper label={t('At packing stations')} labelElement="div">
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {t('Each lets the members do this one thing as a lead of packing may.')}
        </Text>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          {stationActs.map(act => (
            <Checkbox
              key={act}
              label={t(stationActWords[act].title)}
              description={t(stationActWords[act].help)}
              checked={value.acts.includes(act)}
              {...disabledBecause(!canGive(act) && t('You can give only permissions that you have'))}
              onChange={event =>
                onChange({
                  ...value,
                  acts: stationActs.filter(one => (one === act ? event.currentTarget.checked : value.acts.includes(one))),
                })
              }
            />
          ))}
        </SimpleGrid>
        {value.acts.length > 0 ? (
          <>
            <Switch
              label={t('At every station')}
              checked={value.stations === null}
              onChange={event => onChange({ ...value, stations: event.currentTarget.checked ? null : [] })}
            />
            {value.stations ? (
              <TagsInput
                label={t('Stations')}
                description={t('Choose stations, or write their names.')}
                data={[...known]}
                value={[...value.stations]}
                maxTags={100}
                maxLength={limits.station}
                acceptValueOnBlur
                onChange={stations => onChange({ ...value, stations })}
              />
            ) : null}
          </>
        ) : null}
      </Stack>
    </Input.Wrapper>
  )
}
