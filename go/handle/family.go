package handle

// adopt makes child one of the parent's children, unless the parent is closing.
func (g *guard) adopt(child *guard) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.phase != phaseOpen {
		return false
	}
	child.family = g
	g.children = append(g.children, child)
	return true
}

// leave takes a released child out of its family, and releases the parent if that waited for it. Called once.
func (g *guard) leave() {
	family := g.family // written before the child was known to others, and here: no lock needed
	if family == nil {
		return
	}
	g.family = nil
	family.remove(g)
	family.settle() // the state of the parent's handle follows when somebody looks at it
}

func (g *guard) remove(child *guard) {
	g.mu.Lock()
	defer g.mu.Unlock()
	// The order of the others stays, since a cascade closes the youngest first. Children mostly go youngest first, too.
	for i := len(g.children) - 1; i >= 0; i-- {
		if g.children[i] == child {
			copy(g.children[i:], g.children[i+1:])
			g.children[len(g.children)-1] = nil
			g.children = g.children[:len(g.children)-1]
			return
		}
	}
}
