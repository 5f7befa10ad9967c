import { Type } from 'typebox'
import { anyone } from '../access/checks/on.ts'
import { route } from '../http/route.ts'
import { VERSION } from '../core/runtime/version.ts'

export const getApiInformation = route({
  method: 'GET',
  path: '/v1',
  summary: 'Get the version of the server',
  access: anyone(),
  returns: Type.Object({ version: Type.String(), build: Type.String() }, { title: 'ApiInformation' }),
  async handler() {
    return { version: VERSION, build: VERSION }
  },
})
