import { AssignerProtocol } from 'kafkajs'
import { decodeMember, decodeShare, encodeMember, encodeShare } from '../../../topology/logs/kafka/group/assignment-wire.ts'

const PREFIX = 'mintfold.'
const HAS = ['tape.solana/0', 'tape.solana/3', 'raw.alt/0']

describe('the messages of the group', () => {
  test('describe a member', () => {
    const warm = ['tape.solana/1']
    const bytes = encodeMember(PREFIX, HAS, { has: HAS, warm })
    expect(decodeMember('m', bytes)).toEqual({ id: 'm', has: HAS, warm, canStandBy: true })
  })
  test('of a member of an older version tell that it cannot stand by', () => {
    const bytes = AssignerProtocol.MemberMetadata.encode({ version: 0, topics: [], userData: Buffer.from(JSON.stringify(HAS)) })
    expect(decodeMember('m', bytes)).toEqual({ id: 'm', has: HAS, warm: [], canStandBy: false })
  })
  test('are, for a leader of an older version, a list of texts with the partitions of the member', () => {
    const { userData } = AssignerProtocol.MemberMetadata.decode(encodeMember(PREFIX, HAS, { has: HAS, warm: ['tape.solana/1'] })) ?? {}
    expect(JSON.parse(userData?.toString('utf8') ?? '')).toEqual(expect.arrayContaining(HAS))
  })
  test('assign partitions under their names on the brokers, and standbys', () => {
    const share = { partitions: HAS, standbys: ['tape.solana/1'], awaited: ['tape.solana/1'] }
    const bytes = encodeShare(PREFIX, share)
    expect(AssignerProtocol.MemberAssignment.decode(bytes)?.assignment).toEqual({ 'mintfold.tape.solana': [0, 3], 'mintfold.raw.alt': [0] })
    expect(decodeShare(PREFIX, bytes)).toEqual(share)
  })
  test('of a leader of an older version assign no standbys', () => {
    const bytes = AssignerProtocol.MemberAssignment.encode({
      version: 0,
      assignment: { 'mintfold.tape.solana': [2] },
      userData: Buffer.alloc(0),
    })
    expect(decodeShare(PREFIX, bytes)).toEqual({ partitions: ['tape.solana/2'], standbys: [], awaited: [] })
  })
})
