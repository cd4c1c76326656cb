"""The story of a finished match: who won by how much, what decided it, what is worth a second look.

    from stichwerk import record, story

    told = story.tell(record.decode(text), seat=0, lang="en")
    print(*told.sentences)

The definitions are in `course`, the words in `telling`.
"""

from stichwerk.story.structs import Story, StoryMoment
from stichwerk.story.telling import tell

__all__ = ["Story", "StoryMoment", "tell"]
