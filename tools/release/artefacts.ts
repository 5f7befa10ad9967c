/** The files of a release: sources, package, bill of materials, image, checksums and provenance. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { billOfMaterials } from './bill.ts'

/** What the files of a release are made from. */
export interface ReleaseSource {
  root: string
  /** An empty folder. */
  folder: string
  version: string
  /** The options of the command, which the provenance records. */
  options: string[]
  /** Whether to make the package, the bill of materials and the image. */
  withPackage: boolean
}

/** Programs that build an image, in the order of preference, and what each is asked to find out whether it can. */
const BUILDERS = { docker: 'info', podman: 'info', buildah: 'info' }

/** Makes the files of a release from the commit that is checked out. */
export async function makeArtefacts(source: ReleaseSource): Promise<void> {
  const { root, folder, version, withPackage } = source
  const startedOn = new Date().toISOString()
  const run = (command: string, args: string[]) =>
    execFileSync(command, args, { cwd: root, encoding: 'utf8', maxBuffer: 200_000_000 })
  const name = `lectern-${version}`
  run('git', ['archive', `--prefix=${name}/`, '-o', join(folder, `${name}-sources.tar.gz`), 'HEAD'])
  if (withPackage) {
    run('npm', ['pack', '--silent', '--pack-destination', folder])
    const bill = await billOfMaterials(root)
    writeFileSync(join(folder, `${name}.cdx.json`), `${JSON.stringify(bill, null, 2)}\n`)
    buildImage(source)
  }

  const digests = digestsOfFolder(folder)
  const statement = provenanceOf(source, digests, startedOn, run('git', ['rev-parse', 'HEAD']).trim())
  writeFileSync(join(folder, `${name}.provenance.json`), `${JSON.stringify(statement, null, 2)}\n`)
  const sums = Object.entries(digestsOfFolder(folder)).map(([file, digest]) => `${digest}  ${file}\n`)
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''))
}

/** Builds the image if the checkout has a `Dockerfile` and the machine has a program for it; otherwise says what is missing. */
function buildImage({ root, folder, version }: ReleaseSource): void {
  const file = ['Dockerfile', 'deploy/Dockerfile'].find((one) => existsSync(join(root, one)))
  if (file === undefined) return console.log('No image is built: the repository has no Dockerfile')
  const builder = Object.entries(BUILDERS).find(works)?.[0]
  if (builder === undefined)
    return console.log(`No image is built: none of ${Object.keys(BUILDERS).join(', ')} works on this machine`)
  const tag = `lectern:${version}`
  const archive = join(folder, `lectern-${version}-image.tar`)
  const options = { cwd: root, stdio: 'inherit' } as const
  execFileSync(builder, ['build', '-f', file, '-t', tag, '.'], options)
  if (builder === 'buildah') execFileSync(builder, ['push', tag, `docker-archive:${archive}:${tag}`], options)
  else execFileSync(builder, ['save', '-o', archive, tag], options)
}

/** Whether a program is installed, and reaches its engine if it has one. */
function works([program, question]: [string, string]): boolean {
  try {
    execFileSync(program, [question], { stdio: 'ignore', timeout: 30_000 })
    return true
  } catch {
    return false
  }
}

/** The SHA-256 of each file of a folder. */
function digestsOfFolder(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder)
      .toSorted()
      .map((name) => [
        name,
        createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex'),
      ]),
  )
}

/**
 * An in-toto statement with the provenance of SLSA 1.0. It is not signed: `npm publish --provenance` signs one on the
 * continuous integration systems that npm knows.
 */
function provenanceOf(
  { version, options }: ReleaseSource,
  digests: Record<string, string>,
  startedOn: string,
  gitCommit: string,
): object {
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: Object.entries(digests).map(([name, sha256]) => ({ name, digest: { sha256 } })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'tools/release/release.ts',
        externalParameters: { version, options },
        internalParameters: { node: process.version, platform: `${process.platform}-${process.arch}` },
        resolvedDependencies: [{ name: 'lectern', digest: { gitCommit } }],
      },
      runDetails: {
        builder: { id: process.env.CI ? 'continuous-integration' : 'developer' },
        metadata: { startedOn, finishedOn: new Date().toISOString() },
      },
    },
  }
}
