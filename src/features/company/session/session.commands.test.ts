/** What counts as a new device. */
import { expect, it } from 'vitest'
import { isNewDevice } from './session.commands.ts'

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'
const newerFirefox = firefox.replaceAll('140.0', '141.0')
const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36'
const office = { ip: '203.0.113.9', user_agent: firefox }

it.each([
  ['the first session of all', [], office, false],
  ['the same browser in the same network', [office], { ip: '203.0.113.77', user_agent: firefox }, false],
  ['a newer version of the browser', [office], { ip: '203.0.113.9', user_agent: newerFirefox }, false],
  ['another browser in the same network', [office], { ip: '203.0.113.9', user_agent: chrome }, true],
  ['the same browser in another network', [office], { ip: '198.51.100.4', user_agent: firefox }, true],
  [
    'a pair that was seen apart only',
    [office, { ip: '198.51.100.4', user_agent: chrome }],
    { ip: '198.51.100.4', user_agent: firefox },
    true,
  ],
])('%s: %j then %j is new: %s', (_, recent, device, isNew) => expect(isNewDevice(recent, device)).toBe(isNew))
