import { emailIn, nameIn, type Person, photoIn } from './person.ts'

const CLAIMS = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/'
const MICROSOFT = 'http://schemas.microsoft.com/identity/claims/'

/** The names under which providers send these, in lower case, the surest first. */
const NAMES = {
  email: [
    'email',
    'mail',
    `${CLAIMS}emailaddress`,
    'emailaddress',
    'urn:oid:0.9.2342.19200300.100.1.3',
    'user.email',
    'e-mail',
    'email_address',
    'urn:oid:1.2.840.113549.1.9.1',
  ],
  displayName: [
    'displayname',
    `${MICROSOFT}displayname`,
    'urn:oid:2.16.840.1.113730.3.1.241',
    'fullname',
    'full_name',
    'cn',
    'urn:oid:2.5.4.3',
    'http://schemas.auth0.com/name',
    'name',
  ],
  givenName: [
    'givenname',
    `${CLAIMS}givenname`,
    'urn:oid:2.5.4.42',
    'firstname',
    'first_name',
    'user.firstname',
  ],
  surname: ['sn', 'surname', `${CLAIMS}surname`, 'urn:oid:2.5.4.4', 'lastname', 'last_name', 'user.lastname'],
  photo: ['picture', 'photourl', 'photo_url', 'photo', 'avatar', 'http://schemas.auth0.com/picture'],
}

const PERSISTENT_FORMATS =
  /:(persistent|emailAddress|unspecified|X509SubjectName|WindowsDomainQualifiedName|kerberos)$/

/** The name identifier and the attributes of a verified assertion. */
export interface SamlSubject {
  nameID: string
  format: string | undefined
  /** The values of each attribute, by its name. */
  attributes: ReadonlyMap<string, string[]>
}

/**
 * The person of a verified assertion. A transient name identifier is another one at each sign-in, so the address names
 * the person instead.
 * @returns undefined if nothing names the person
 */
export function personOf({ nameID, format, attributes }: SamlSubject): Person | undefined {
  const lower = new Map([...attributes].map(([name, values]) => [name.trim().toLowerCase(), values]))
  const first = (names: string[]): string | undefined => {
    for (const name of names) {
      const value = lower.get(name)?.find((text) => text.trim() !== '')
      if (value !== undefined) return value
    }
    return undefined
  }
  const email = emailIn(first(NAMES.email)) ?? emailIn(nameID)
  const isLasting = format === undefined || PERSISTENT_FORMATS.test(format)
  const subject = isLasting ? `name:${nameID}` : email && `email:${email}`
  if (subject === undefined) return undefined

  const whole = [first(NAMES.givenName), first(NAMES.surname)].filter((part) => part !== undefined).join(' ')
  const displayName = nameIn(first(NAMES.displayName), whole)
  const photoURL = photoIn(first(NAMES.photo))
  return {
    subject,
    ...(email !== undefined && { email }),
    ...(displayName !== undefined && { displayName }),
    ...(photoURL !== undefined && { photoURL }),
  }
}
